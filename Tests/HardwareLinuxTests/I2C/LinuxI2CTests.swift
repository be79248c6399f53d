import Glibc
import TestSupport
import Testing

@testable import CycleCore
@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

private func error(_ body: () throws(DriverError) -> Void) -> DriverError? {
  do throws(DriverError) {
    try body()
    return nil
  } catch {
    return error
  }
}

@Suite("LinuxI2C")
struct LinuxI2CTests {
  private let system = FakeI2CSystem()
  private let clock = WorkClock(at: .zero)

  private func bus(_ choice: I2CBusPort.BusChoice = .number(1)) -> LinuxI2C {
    LinuxI2C(choice, deviceFolder: "/dev", system: system)
  }

  private func openError(_ choice: I2CBusPort.BusChoice = .number(1)) -> DriverError? {
    let result = error { () throws(DriverError) in try bus(choice).open(0x27).close() }
    #expect(system.openCount == 0)
    return result
  }

  private func transferError(_ messages: [I2CMessage] = [.write([0]), .read(2)]) throws -> DriverError? {
    let device = try bus().open(0x27)
    defer { device.close() }
    return error { () throws(DriverError) in _ = try device.transfer(messages, on: clock) }
  }

  @Test("messages go to the kernel in one call, and what was read comes back in one piece")
  func plain() throws {
    let device = try bus().open(0x27)
    system.answers = [[0xA0, 0xA1], [0xB0]]
    let bytes = try device.transfer([.write([1, 2, 3]), .read(2), .write([]), .read(1)], on: clock)
    #expect(bytes == [0xA0, 0xA1, 0xB0])
    #expect(
      system.calls == [
        "open /dev/i2c-1", "functions", "address 39", "39:0[1, 2, 3] 39:1*2 39:0[] 39:1*1",
      ])
    try device.write([9], on: clock)
    system.answers = [[7], [8]]
    #expect(try device.read(1, on: clock) + device.read(1, after: [5], on: clock) == [7, 8])
    #expect(system.calls.suffix(3) == ["39:0[9]", "39:1*1", "39:0[5] 39:1*1"])
    device.close()
    device.close()
    #expect(system.openCount == 0)
    #expect(bus().needsThread)
    #expect(clock.now == .zero)
  }

  @Test("an adapter that speaks SMBus only gets bytes, words and blocks")
  func smbus() throws {
    system.functionBits = 0x0FFF_0000
    let device = try bus().open(0x50)
    defer { device.close() }
    try device.write([7, 0x12, 0x34], on: clock)
    try device.write([7, 1, 2, 3], on: clock)
    try device.write([7, 5], on: clock)
    try device.write([7], on: clock)
    try device.write([], on: clock)
    system.answers = [[0x34, 0x12], [3, 1, 2, 3], [9], [8]]
    #expect(try device.read(2, after: [7], on: clock) == [0x34, 0x12])
    #expect(try device.read(3, after: [7], on: clock) == [1, 2, 3])
    #expect(try device.read(1, after: [7], on: clock) == [9])
    #expect(try device.read(1, on: clock) == [8])
    #expect(
      system.calls.dropFirst(3) == [
        "write command 7 size 3 [18, 52, 0, 0]", "write command 7 size 8 [3, 1, 2, 3]",
        "write command 7 size 2 [5, 0, 0, 0]", "write command 7 size 1 [0, 0, 0, 0]",
        "write command 0 size 0 [0, 0, 0, 0]", "read command 7 size 3 [0, 0, 0, 0]",
        "read command 7 size 8 [3, 0, 0, 0]", "read command 7 size 2 [0, 0, 0, 0]",
        "read command 0 size 1 [0, 0, 0, 0]",
      ])
    system.answers = [[2, 1, 2]]
    let short = error { () throws(DriverError) in _ = try device.read(3, after: [7], on: clock) }
    #expect(short?.kind == .failed, "a block that is shorter than asked for")
    let long = error { () throws(DriverError) in _ = try device.read(33, after: [7], on: clock) }
    #expect(
      long?.description
        == "cannot read from 0x50 on i2c-1: the adapter speaks SMBus only, and that has no such transfer. "
        + "Shorter ones may work; `i2cdetect -F 1` lists what it supports.")
    #expect(long?.kind == .unsupported)
  }

  @Test("a bus is found by its adapter's name, whatever its number")
  func named() throws {
    system.nodes = ["i2c-1": "bcm2835 (i2c@7e804000)", "i2c-10": "i2c-tiny-usb", "i2c-2": "i2c-tiny-usb"]
    try bus(.named("i2c-tiny-usb")).open(0x27).close()
    #expect(system.calls.first == "open /dev/i2c-2")
    #expect(openError(.named("ch341"))?.kind == .absent)
    #expect(
      openError(.named("ch341"))?.description
        == "cannot open \"ch341\" for 0x27: no adapter has this name, of i2c-1 (bcm2835 (i2c@7e804000)), "
        + "i2c-2 (i2c-tiny-usb), i2c-10 (i2c-tiny-usb). Switch the bus on (on a Raspberry Pi `dtparam=i2c_arm=on` in "
        + "config.txt) and load the module i2c-dev; `i2cdetect -l` lists the buses.")
  }

  @Test("what hinders opening: no bus, no permission, a driver of the kernel")
  func opening() {
    #expect(openError(.number(7))?.kind == .absent)
    #expect(
      openError(.number(7))?.description
        == "cannot open i2c-7 for 0x27: there is no such bus (ENOENT). Switch the bus on (on a Raspberry Pi "
        + "`dtparam=i2c_arm=on` in config.txt) and load the module i2c-dev; `i2cdetect -l` lists the buses.")
    system.failures = ["open": EACCES]
    #expect(openError()?.kind == .notPermitted)
    #expect(
      openError()?.description
        == "cannot open i2c-1 for 0x27: permission denied (EACCES). Add this user to the group \"i2c\" "
        + "(`sudo usermod -aG i2c USER`) and log in again.")
    system.failures = ["I2C_SLAVE": EBUSY]
    #expect(openError()?.kind == .busy)
    #expect(
      openError()?.description
        == "cannot open i2c-1 for 0x27: busy (EBUSY). A driver of the kernel has the device. Remove its overlay from "
        + "config.txt, or `echo 1-0027 | sudo tee /sys/bus/i2c/drivers/DRIVER/unbind`.")
    system.links = ["/sys/bus/i2c/devices/1-0027/driver": "../../../bus/i2c/drivers/pcf857x"]
    #expect(
      openError()?.remedy
        == "The kernel's driver \"pcf857x\" has the device. Remove its overlay from config.txt, or "
        + "`echo 1-0027 | sudo tee /sys/bus/i2c/drivers/pcf857x/unbind`.")
    system.failures = ["I2C_FUNCS": ENOTTY]
    #expect(
      openError()?.description == "cannot open i2c-1 for 0x27: not supported (ENOTTY). "
        + "`i2cdetect -l` lists the buses; `dmesg` may show the cause.")
    system.failures = ["open": EMFILE]
    #expect(openError()?.kind == .failed)
  }

  @Test(
    "each errno of a transfer has its kind and its words",
    arguments: [
      (
        ENXIO, DriverError.Kind.failed,
        "no device answers at 0x27 (ENXIO). Check its power, its wires and its address; "
          + "`i2cdetect -y 1` lists the devices that answer."
      ),
      (EREMOTEIO, .failed, "no device answers at 0x27 (EREMOTEIO)."),
      (ENODEV, .failed, "no device answers at 0x27 (ENODEV)."),
      (ETIMEDOUT, .failed, "the clock was held for too long (ETIMEDOUT)."),
      (EAGAIN, .failed, "another master has the bus (EAGAIN)."),
      (EBUSY, .failed, "a line of the bus stays low (EBUSY)."),
      (ESHUTDOWN, .lost, "the bus is gone (ESHUTDOWN). Check its adapter; it is opened again when it is back."),
      (EOPNOTSUPP, .unsupported, "the adapter can't do such a transfer (EOPNOTSUPP)."),
      (EINVAL, .unsupported, "the adapter can't do such a transfer (EINVAL)."),
      (
        EIO, .failed,
        "the system refused it (EIO). `dmesg` may show the cause; `i2cdetect -y 1` lists the devices that answer."
      ),
    ])
  func transferring(_ number: Int32, _ kind: DriverError.Kind, _ words: String) throws {
    for (bits, call) in [(UInt(1), "I2C_RDWR"), (0x0FFF_0000, "I2C_SMBUS")] {
      system.functionBits = bits
      system.failures = [call: number]
      let error = try transferError()
      #expect(error?.kind == kind)
      #expect(error?.description.hasPrefix("cannot read from 0x27 on i2c-1: " + words) == true, "\(error!)")
      #expect(error?.cause?.function == "ioctl \(call)")
      #expect(system.openCount == 0)
    }
  }

  @Test("whatever the errno, a bus whose node is gone is lost", arguments: [ENODEV, EIO, EREMOTEIO])
  func lost(_ number: Int32) throws {
    let device = try bus().open(0x27)
    defer { device.close() }
    system.nodes = [:]
    system.failures = ["I2C_RDWR": number]
    #expect(error { () throws(DriverError) in try device.write([1], on: clock) }?.kind == .lost)
  }

  @Test("a transaction that the adapter gave up in the middle has failed")
  func partly() throws {
    system.answers = [[1, 2]]
    system.transferred = 1
    #expect(try transferError()?.kind == .failed)
  }

  @Test("more messages or bytes than the kernel takes never reach it")
  func limits() throws {
    let calls = 3
    for (messages, reason) in [
      ([], "0 messages are not 1 to 42"),
      (Array(repeating: .read(1), count: 43), "43 messages are not 1 to 42"),
      ([.read(0)], "a message of 0 bytes is not one of 1 to 8192"),
      ([.write(Array(repeating: 0, count: 8193))], "a message of 8193 bytes is not one of 0 to 8192"),
    ] as [([I2CMessage], String)] {
      system.calls = []
      let error = try transferError(messages)
      #expect(error?.kind == .misconfigured)
      #expect(error?.reason == reason)
      #expect(system.calls.count == calls)
    }
  }

  /// Whether what is no bus refused a request. QEMU's user mode doesn't pass the request on, and refuses it with
  /// ENOSYS.
  private func isRefusal(_ error: any Error, of request: String) -> Bool {
    [ENOTTY, ENOSYS].contains { error as? SystemFailure == SystemFailure(function: "ioctl \(request)", number: $0) }
  }

  @Test("on the real system: no folder, nothing left open, a node that is no bus")
  func realSystem() throws {
    let (kind, leftOpen) = try withOwnDescriptors {
      error { () throws(DriverError) in try LinuxI2C(.number(1), deviceFolder: "/nowhere").open(0x27).close() }?.kind
    }
    #expect(kind == .absent)
    #expect(leftOpen == 0)
    let system = LinuxI2CSystem()
    let null = try system.open("/dev/null")
    defer { system.close(null) }
    #expect { try system.functions(null) } throws: { isRefusal($0, of: "I2C_FUNCS") }
    #expect { try system.setAddress(null, 0x27) } throws: { isRefusal($0, of: "I2C_SLAVE") }
    #expect(system.line(of: "/proc/self/comm") != nil)
    #expect(system.line(of: "/nowhere") == nil)
    #expect(system.target(of: "/proc/self/exe") != nil)
    #expect(system.target(of: "/nowhere") == nil)
  }
}
