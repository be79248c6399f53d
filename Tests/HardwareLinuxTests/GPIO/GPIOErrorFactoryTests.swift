import CycleCore
import Glibc
import Testing

@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

private typealias Chip = FakeGPIOSystem.Chip

@Suite struct GPIOErrorFactoryTests {
  private func pi() -> FakeGPIOSystem { FakeGPIOSystem(Chip("gpiochip0", "pinctrl-bcm2711", FakeGPIOSystem.header)) }

  @Test("no chip at all")
  func noChip() {
    #expect(
      FakeGPIOSystem().message([.input("GPIO17")])
        == "cannot find a GPIO chip: there is no gpiochip in /dev. Check with `gpiodetect` that the kernel has a "
        + "driver for GPIO lines of this board, or simulate the panel.")
  }

  @Test("a device folder that is not there")
  func noFolder() {
    let system = pi()
    system.failures["entries /dev"] = SystemFailure(function: "opendir", number: ENOENT)
    #expect(
      system.message([.input("GPIO17")])
        == "cannot look for GPIO chips in /dev: not there (ENOENT). Check that the folder exists and may be read.")
    system.failures["entries /dev"] = SystemFailure(function: "readdir", number: EIO)
    #expect(system.message([.input("GPIO17")]).contains("look for GPIO chips in /dev: the system refused it (EIO)."))
  }

  @Test("a path at which there is something else is told, and is not opened")
  func notAChip() {
    let system = pi()
    system.otherThings = ["/dev/watchdog"]
    system.failures["open /dev/watchdog"] = SystemFailure(function: "gpiod_chip_open", number: EBUSY)
    #expect(
      system.message(.named("/dev/watchdog"), [.input("GPIO17")])
        == "cannot find GPIO chip \"/dev/watchdog\": not a GPIO chip. Choose one that `gpiodetect` lists."
    )
  }

  @Test("without libgpiod the package of this system's release is named")
  func withoutLibrary() {
    let system = pi()
    system.generation = 0
    #expect(system.message([.input("GPIO17")]) == GPIOErrorFactory.missingLibrary(on: .current).description)
    #expect(
      GPIOErrorFactory.missingLibrary(on: OSRelease("VERSION_ID=\"12\"")).description
        == "cannot use GPIO: neither libgpiod.so.3 nor libgpiod.so.2 is there. "
        + "Install it with `sudo apt install libgpiod2`, or use --gpio simulated.")
    #expect(
      GPIOErrorFactory.missingLibrary(on: OSRelease("VERSION_ID=13")).description.contains(
        "`sudo apt install libgpiod3`"))
    #expect(GPIOErrorFactory.missingLibrary(on: OSRelease("")).description.contains("`sudo apt install libgpiod3`"))
  }

  @Test("an unknown line on no chip in particular")
  func unknownLine() {
    let system = FakeGPIOSystem(Chip("gpiochip0", "a", ["KEY", ""]), Chip("gpiochip1", "b", ["LAMP"]))
    #expect(
      system.message([.input("KEI")])
        == "cannot request line KEI as input: no chip has a line of that name. "
        + "The nearest is KEY; `gpioinfo` lists all lines.")
    #expect(
      system.message([.output("POWER-RELAY")])
        == "cannot request line POWER-RELAY as output: no chip has a line of that name. `gpioinfo` lists all lines.")
  }

  @Test("an offset beyond the last line")
  func offsetTooLarge() {
    #expect(
      pi().message([.input("gpiochip0:28")])
        == "cannot request line gpiochip0:28 of pinctrl-bcm2711 as input: its lines are 0 to 27. "
        + "`gpioinfo gpiochip0` lists them.")
  }

  @Test("a line that another program holds, among several")
  func busy() {
    let system = pi()
    system.nodes[0].chip.lines[17].holder = "gpio-keys"
    #expect(
      system.message([.output("GPIO5"), .input("GPIO17")])
        == "cannot request line GPIO17 of pinctrl-bcm2711 as input: busy (EBUSY). \"gpio-keys\" uses it. "
        + "Stop that program or choose another line; `gpioinfo` lists the users of all lines.")
    system.nodes[0].chip.lines[17].holder = ""
    #expect(
      system.message([.input("GPIO17")])
        == "cannot request line GPIO17 of pinctrl-bcm2711 as input: busy (EBUSY). Another program or the kernel "
        + "uses it. Stop that program or choose another line; `gpioinfo` lists the users of all lines.")
  }

  @Test("a line that was held and is free again when its holder is looked for")
  func busyForAMoment() {
    let system = pi()
    system.failures["request gpiochip0"] = SystemFailure(function: "gpiod_chip_request_lines", number: EBUSY)
    #expect(
      system.message((2...7).map { .input(LineName("GPIO\($0)")) })
        == "cannot request lines GPIO2, GPIO3, GPIO4, GPIO5 and 2 more of pinctrl-bcm2711 as input: busy (EBUSY). "
        + "Another program used one of them a moment ago: try again.")
  }

  @Test("no permission to open the chip")
  func permission() {
    let system = pi()
    system.failures["open /dev/gpiochip0"] = SystemFailure(function: "gpiod_chip_open", number: EACCES)
    #expect(
      system.message([.input("GPIO17")])
        == "cannot open /dev/gpiochip0: permission denied (EACCES). Add this user to the group \"gpio\" "
        + "(`sudo usermod -aG gpio USER`) and log in again; if there is no such group, give the chip one with a "
        + "udev rule.")
  }

  @Test("a setting that the chip refuses, a chip that goes while it is asked, an error without a word of its own")
  func refused() {
    let system = pi()
    let requests: [(Int32, String)] = [
      (
        EINVAL,
        "not accepted by the device (EINVAL). Ask for less: no bias, drive or debouncing; edges need a chip "
          + "with interrupts."
      ),
      (524, "not supported (ENOTSUPP). Ask for less: no bias, drive or debouncing; edges need a chip with interrupts."),
      (ENODEV, "the chip was removed (ENODEV). It is searched for again when a chip appears."),
      (EIO, "the system refused it (EIO). `gpioinfo` shows the state of the lines."),
    ]
    for (number, text) in requests {
      system.failures["request gpiochip0"] = SystemFailure(function: "gpiod_chip_request_lines", number: number)
      #expect(
        system.message([.input("GPIO2"), .output("GPIO3")])
          == "cannot request lines GPIO2, GPIO3 of pinctrl-bcm2711: " + text)
    }
  }

  @Test("a chip that goes while its lines are looked at is not there, one that can't be read is told")
  func goingChip() {
    let system = FakeGPIOSystem(Chip("gpiochip0", "a", ["KEY"]))
    system.failures["info gpiochip0"] = SystemFailure(function: "gpiod_chip_get_info", number: ENODEV)
    #expect(system.message([.input("KEY")]).hasPrefix("cannot find a GPIO chip: "))
    system.failures = ["line gpiochip0:0": SystemFailure(function: "gpiod_chip_get_line_info", number: EIO)]
    #expect(
      system.message([.input("KEY")])
        == "cannot read the line names of a: the system refused it (EIO). "
        + "`gpioinfo` shows whether the chip works for other programs.")
  }

  @Test("no descriptors left")
  func tooManyFiles() {
    let system = pi()
    system.failures["open /dev/gpiochip0"] = SystemFailure(function: "gpiod_chip_open", number: EMFILE)
    #expect(
      system.message([.input("GPIO2")])
        == "cannot open /dev/gpiochip0: this program has too many files open (EMFILE). "
        + "`gpiodetect` shows whether the chip works for other programs.")
  }

  @Test("what no waiting can mend is misconfigured; a line that a chip to come may have is absent")
  func kinds() {
    let board = FakeGPIOSystem(Chip("gpiochip0", "a", ["KEY"]))
    let kinds = [
      pi().error([.input("GPIO99")]), pi().error([.input("gpiochip0:28")]),
      pi().error([.input("GPIO2"), .input("GPIO2")]),
      pi().error((0..<65).map { .input(LineName("gpiochip0:\($0)")) }), board.error(.named("a"), [.input("LAMP")]),
      pi().error([.input("LAMP")]), board.error([.input("LAMP")]), board.error(.named("b"), [.input("LAMP")]),
    ].map { $0?.kind }
    #expect(kinds == Array(repeating: .misconfigured, count: 5) + Array(repeating: .absent, count: 3))
  }

  @Test("a line that another driver of this application holds, and one that another program does")
  func usedTwice() throws {
    let system = pi()
    let gpio = system.gpio()
    let request = try gpio.request([.output("GPIO5"), .input("GPIO17")], consumer: "doorbell")
    func error(_ gpio: LinuxGPIO) -> DriverError? {
      do throws(DriverError) {
        try gpio.request([.input("GPIO17")], consumer: "doorbell").release()
        return nil
      } catch {
        return error
      }
    }
    #expect(error(gpio)?.kind == .misconfigured)
    #expect(
      error(gpio)?.description
        == "cannot request line GPIO17 of pinctrl-bcm2711 as input: this application uses it twice (EBUSY). "
        + "Another of its drivers holds the line: give each a line of its own.")
    #expect(error(system.gpio())?.kind == .busy)
    #expect(error(system.gpio())?.description.contains("busy (EBUSY). \"doorbell\" uses it.") == true)
    request.release()
    #expect(error(gpio) == nil)
  }

  @Test("a line named twice, by one name and by two")
  func twice() {
    #expect(
      pi().message([.input("GPIO2"), .input("GPIO2")])
        == "cannot request line GPIO2 twice: a driver names it two times. Give each use a line of its own.")
    #expect(
      pi().message([.input("GPIO2"), .output("gpiochip0:2")])
        == "cannot request line gpiochip0:2 twice: GPIO2 is the same line. Give each use a line of its own.")
  }

  @Test("an empty name is not that of a line without one")
  func emptyName() {
    let system = FakeGPIOSystem(Chip("gpiochip0", "board", ["", "A"]))
    #expect(
      system.message([.input("")])
        == "cannot request a line: its name is empty. "
        + "A line without a name is requested by chip and offset, as in \"gpiochip0:17\".")
  }

  @Test("no lines, 65 lines, a debounce period of two hours")
  func limits() {
    #expect(
      pi().message([])
        == "cannot request 0 lines together: one request has 1 to 64 lines. Spread the lines over several drivers.")
    #expect(
      pi().message((0..<65).map { .input(LineName("gpiochip0:\($0)")) })
        == "cannot request 65 lines together: one request has 1 to 64 lines. Spread the lines over several drivers.")
    #expect(
      pi().message([LineConfiguration("GPIO2", .input(.asIs), debounce: .seconds(7200))])
        == "cannot debounce line GPIO2 for 7200.0 seconds: the longest debounce period is 4294.967295 seconds. "
        + "Choose a shorter one.")
  }

  @Test("a chip that goes while its lines are held is lost, whatever is done with them")
  func lost() throws {
    let system = pi()
    let request = try system.gpio().request([.input("GPIO2"), .output("GPIO3")], consumer: "test")
    defer { request.release() }
    system.nodes[0].chip.requests[0].failure = SystemFailure(function: "gpiod", number: ENODEV)
    let remedy =
      "of pinctrl-bcm2711: the chip was removed (ENODEV). "
      + "Check its cable and power; when it is back, its lines are requested again."
    let edges = UnsafeMutableBufferPointer<LineEdge>.allocate(capacity: 4)
    defer { edges.deallocate() }
    func text(_ body: () throws(DriverError) -> Void) -> String {
      do throws(DriverError) {
        try body()
        return "no error"
      } catch {
        #expect(error.kind == .lost)
        #expect(error.cause == DriverError.Cause(function: "gpiod", name: "ENODEV", number: 19))
        return error.description
      }
    }
    #expect(
      text { () throws(DriverError) in _ = try request.readValues() } == "cannot read lines GPIO2, GPIO3 " + remedy)
    #expect(
      text { () throws(DriverError) in try request.write(.first(2), mask: .first(2)) }
        == "cannot set line GPIO3 " + remedy)
    #expect(
      text { () throws(DriverError) in _ = try request.readEdges(into: edges) }
        == "cannot read edges of lines GPIO2, GPIO3 " + remedy)
  }

  @Test("only outputs are written, and nothing at all where none is meant")
  func maskedWrites() throws {
    let system = pi()
    let request = try system.gpio().request([.input("GPIO2"), .output("GPIO3"), .output("GPIO4")], consumer: "test")
    defer { request.release() }
    try request.write(LineValues(rawValue: 0b111), mask: LineValues(rawValue: 0b011))
    try request.write(LineValues(rawValue: 0b001), mask: LineValues(rawValue: 0b001))
    #expect(system.nodes[0].chip.requests[0].written == [[0b111, 0b010]])
  }
}
