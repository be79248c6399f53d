import CycleCore
import Glibc
import HardwareDrivers
import TestSupport
import Testing

@testable import HardwareLinux

@Suite("LinuxPWM")
struct LinuxPWMTests {
  private static let chip = PWMPort(.chip("lab-pwm.0", channel: 2))
  private static let pulse = PWMWave(period: .milliseconds(20), high: .microseconds(1_500))

  private func kernel() -> PWMKernel {
    let kernel = PWMKernel()
    kernel.chips = [
      .init(number: 3, device: "other.pwm", channels: [.init()]),
      .init(number: 7, device: "lab-pwm.0", channels: Array(repeating: .init(), count: 4)),
    ]
    return kernel
  }

  /// A board with the overlay of the PWM hardware for some pins.
  private func board(_ compatible: String, pins: [String: [UInt8]]) -> PWMKernel {
    let kernel = PWMKernel()
    kernel.chips = [
      .init(
        number: 0, device: "1f00098000.pwm", channels: Array(repeating: .init(), count: 4),
        properties: ["compatible": PWMKernel.text(compatible), "pinctrl-0": PWMKernel.cells(0x51)])
    ]
    let base = "/sys/firmware/devicetree/base"
    kernel.tree = [
      "\(base)/soc/serial/phandle": PWMKernel.cells(0x51), "\(base)/soc/serial/brcm,pins": PWMKernel.cells(4),
      "\(base)/soc/gpio@1/#gpio-cells": PWMKernel.cells(2),
      "\(base)/soc/gpio@1/uart_pins/phandle": PWMKernel.cells(0x50),
      "\(base)/soc/gpio@1/uart_pins/brcm,pins": PWMKernel.cells(12, 14),
      "\(base)/soc/gpio@1/pwm_pins/phandle": PWMKernel.cells(0x51),
      "\(base)/__symbols__/gpio": PWMKernel.text("/soc/gpio@1"),
    ]
    for (name, bytes) in pins { kernel.tree["\(base)/soc/gpio@1/pwm_pins/\(name)"] = bytes }
    return kernel
  }

  private func found(_ kernel: PWMKernel, _ line: LineName) -> PWMChannelFinder.Found? {
    PWMChannelFinder(system: kernel).find(.line(line))
  }

  // MARK: - Finding

  @Test("the channel of a line is found by the pins of the chip's device")
  func lines() {
    let pi4 = board("brcm,bcm2835-pwm", pins: ["brcm,pins": PWMKernel.cells(18, 13)])
    #expect(found(pi4, "GPIO18") == .init(chip: "/sys/class/pwm/pwmchip0", channel: 0))
    #expect(found(pi4, "GPIO13") == .init(chip: "/sys/class/pwm/pwmchip0", channel: 1))
    #expect(found(pi4, "GPIO12") == nil, "the pin of channel 0 is another one")
    #expect(found(pi4, "GPIO4") == nil && found(pi4, "lamp") == nil)
    let pi5 = board("raspberrypi,rp1-pwm", pins: ["pins": PWMKernel.text("gpio18") + PWMKernel.text("gpio19")])
    #expect(found(pi5, "GPIO18")?.channel == 2 && found(pi5, "GPIO19")?.channel == 3)
    #expect(found(board("brcm,bcm2835-pwm", pins: [:]), "GPIO18") == nil)
  }

  @Test("the channel of a line that the kernel's software drives is found by the line of the node")
  func softwareLines() {
    let kernel = kernel()
    kernel.chips[0].properties = ["compatible": PWMKernel.text("pwm-gpio"), "gpios": PWMKernel.cells(0x7, 12, 0)]
    kernel.chips[1].properties = ["gpios": PWMKernel.cells(0x7, 4, 0, 0x7, 5, 0)]
    #expect(found(kernel, "GPIO12") == .init(chip: "/sys/class/pwm/pwmchip3", channel: 0))
    #expect(found(kernel, "GPIO5") == .init(chip: "/sys/class/pwm/pwmchip7", channel: 1))
    #expect(found(kernel, "GPIO7") == nil, "7 is the number of the controller")
  }

  @Test("a chip is found by its device, whatever its number")
  func chips() {
    let kernel = kernel()
    #expect(LinuxPWM(Self.chip, system: kernel).isPresent)
    kernel.chips[1].number = 0
    #expect(PWMChannelFinder(system: kernel).find(Self.chip.choice)?.chip == "/sys/class/pwm/pwmchip0")
    kernel.remove("lab-pwm.0")
    #expect(!LinuxPWM(Self.chip, system: kernel).isPresent)
  }

  // MARK: - Waves

  @Test("a new channel gets its wave before it is enabled")
  func first() throws {
    let kernel = kernel()
    let connection = try LinuxPWM(Self.chip, system: kernel).open(showing: Self.pulse)
    #expect(kernel.log == ["2 0/20000000 off", "2 1500000/20000000 off", "2 1500000/20000000 on"])
    connection.close()
    #expect(kernel.log.suffix(2) == ["2 0/20000000 on", "2 0/20000000 off"])
    #expect(!kernel.chips[1].channels[2].isExported && kernel.openCount == 0)
  }

  @Test("a longer period is written first, and a shorter one last: the duty cycle is never above it")
  func order() throws {
    let kernel = kernel()
    let connection = try LinuxPWM(Self.chip, system: kernel).open(showing: Self.pulse)
    for (period, high) in [(40, 30), (10, 5), (10, 10), (50, 0), (1, 1), (2, 1)] {
      try connection.show(PWMWave(period: .milliseconds(period), high: .milliseconds(high)))
      let channel = kernel.chips[1].channels[2]
      #expect(channel.period == Int64(period) * 1_000_000 && channel.duty == Int64(high) * 1_000_000)
    }
    connection.close()
  }

  @Test("a channel that a killed program has left is taken over, without a jump")
  func takenOver() throws {
    let kernel = kernel()
    kernel.chips[1].channels[2] = .init(period: 40_000_000, duty: 30_000_000, isEnabled: true, isExported: true)
    let connection = try LinuxPWM(Self.chip, system: kernel).open(showing: Self.pulse)
    #expect(kernel.log == ["2 1500000/40000000 on", "2 1500000/20000000 on", "2 1500000/20000000 on"])
    connection.close()
  }

  @Test("an inverted channel is made normal, disabled")
  func inverted() throws {
    let kernel = kernel()
    kernel.chips[1].channels[2] = .init(
      period: 40_000_000, duty: 0, isInverted: true, isEnabled: true, isExported: true)
    let connection = try LinuxPWM(Self.chip, system: kernel).open(showing: Self.pulse)
    #expect(kernel.log.prefix(2) == ["2 0/40000000 inverted off", "2 0/40000000 off"])
    #expect(kernel.log.last == "2 1500000/20000000 on")
    connection.close()
  }

  @Test("a chip with one period for all channels refuses another one, and says why")
  func onePeriod() throws {
    let kernel = kernel()
    kernel.chips[1].hasOnePeriod = true
    let first = try LinuxPWM(Self.chip, system: kernel).open(showing: Self.pulse)
    let other = LinuxPWM(PWMPort(.chip("lab-pwm.0", channel: 1)), system: kernel)
    let refused = thrown(DriverError.self) { _ = try other.open(showing: PWMWave(0.5, hertz: 1_000)) }
    #expect(refused?.kind == .unsupported)
    #expect("\(refused!)".contains("all channels of the chip have one period, and another channel has not 1000000 ns"))
    #expect(!kernel.chips[1].channels[1].isExported)
    let second = try other.open(showing: PWMWave(0.5, hertz: 50))
    #expect(thrown(DriverError.self) { try second.show(PWMWave(0.5, hertz: 60)) }?.kind == .unsupported)
    second.close()
    try first.show(PWMWave(0.5, hertz: 60))
    first.close()
  }

  @Test("channels of a chip with one period that a killed program has left are taken over with another one, in turn")
  func leftPeriod() throws {
    let kernel = kernel()
    kernel.chips[1].hasOnePeriod = true
    for channel in 1...2 {
      kernel.chips[1].channels[channel] = .init(period: 5_000_000, duty: 1_000, isEnabled: true, isExported: true)
    }
    let other = LinuxPWM(PWMPort(.chip("lab-pwm.0", channel: 1)), system: kernel)
    #expect(thrown(DriverError.self) { _ = try other.open(showing: Self.pulse) }?.kind == .unsupported)
    let first = try LinuxPWM(Self.chip, system: kernel).open(showing: Self.pulse)
    let second = try other.open(showing: Self.pulse)
    #expect(kernel.chips[1].channels[1...2].allSatisfy { $0.isEnabled && $0.period == 20_000_000 })
    first.close()
    second.leave()
    #expect(!kernel.chips[1].channels[2].isEnabled && kernel.chips[1].channels[1].isEnabled && kernel.openCount == 0)
    try other.open(showing: Self.pulse).close()
    #expect(!kernel.chips[1].channels[1].isEnabled && !kernel.chips[1].channels[1].isExported)
  }

  @Test("after a failed write the channel is read, so that the next write is in the right order")
  func failedWrite() throws {
    let kernel = kernel()
    let connection = try LinuxPWM(Self.chip, system: kernel).open(showing: Self.pulse)
    kernel.writeError = EIO
    let error = thrown(DriverError.self) { try connection.show(PWMWave(0.5, hertz: 1_000)) }
    #expect(error?.kind == .failed && error?.cause?.name == "EIO")
    kernel.writeError = nil
    try connection.show(PWMWave(0.5, hertz: 1_000))
    #expect(kernel.log.last == "2 500000/1000000 on")
    kernel.writeError = EINVAL
    #expect(thrown(DriverError.self) { try connection.show(PWMWave(0.1, hertz: 1_000)) }?.kind == .unsupported)
    connection.close()
  }

  // MARK: - Faults

  @Test("the files of a channel are awaited until udev has given them to the group, for a second")
  func rules() throws {
    let kernel = kernel()
    kernel.ruleTime = 300
    let connection = try LinuxPWM(Self.chip, system: kernel).open(showing: Self.pulse)
    #expect(kernel.sleeps == 300)
    connection.close()
    kernel.ruleTime = nil
    let error = thrown(DriverError.self) { _ = try LinuxPWM(Self.chip, system: kernel).open(showing: Self.pulse) }
    #expect(error?.kind == .notPermitted && kernel.sleeps == 1_300)
    #expect(!kernel.chips[1].channels[2].isExported && kernel.openCount == 0)
  }

  @Test("a channel that is used elsewhere is busy, and is left alone")
  func busy() {
    let kernel = kernel()
    kernel.export(2, of: "lab-pwm.0", isLocked: true)
    kernel.chips[1].channels[0].hasKernelUser = true
    for channel in [0, 2] {
      let port = PWMPort(.chip("lab-pwm.0", channel: channel))
      let error = thrown(DriverError.self) { _ = try LinuxPWM(port, system: kernel).open(showing: Self.pulse) }
      #expect(error?.kind == .busy)
    }
    #expect(kernel.log == [] && kernel.openCount == 0 && kernel.chips[1].channels[2].isExported)
  }

  @Test("a missing chip, channel or right is told with what helps")
  func absent() {
    let kernel = kernel()
    func error(_ port: PWMPort) -> String {
      "\(thrown(DriverError.self) { _ = try LinuxPWM(port, system: kernel).open(showing: Self.pulse) }!)"
    }
    #expect(
      error(PWMPort(line: "GPIO12"))
        == "cannot open the PWM of GPIO12: GPIO12 has no PWM. "
        + "Add `dtoverlay=pwm,pin=12,func=4` to config.txt and restart the machine.")
    #expect(error(PWMPort(line: "GPIO4")).contains("`dtoverlay=pwm-gpio,gpio=4`"))
    #expect(
      error(PWMPort(.chip("x", channel: 0))).hasPrefix(
        "cannot open the PWM of x channel 0: no chip has this name, of lab-pwm.0, other.pwm."))
    #expect(error(PWMPort(.chip("lab-pwm.0", channel: 4))).contains("the chip has no channel 4"))
    kernel.mayExport = false
    #expect(error(Self.chip).contains("permission denied (EACCES)"))
  }

  @Test("a chip that goes is lost: at the next write, and at a check")
  func lost() throws {
    let kernel = kernel()
    let connection = try LinuxPWM(Self.chip, system: kernel).open(showing: Self.pulse)
    try connection.check()
    kernel.remove("lab-pwm.0")
    #expect(thrown(DriverError.self) { try connection.check() }?.kind == .lost)
    #expect(thrown(DriverError.self) { try connection.show(PWMWave(1, hertz: 50)) }?.kind == .lost)
    connection.close()
    #expect(kernel.openCount == 0)
  }
}
