import CycleCore
import Glibc
import Testing

@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

private typealias Chip = FakeGPIOSystem.Chip

@Suite struct LinuxGPIOFindingTests {
  @Test("the header of a Pi is found by its label, whatever its number")
  func headerByLabel() throws {
    let rp1 = Chip("gpiochip4", "pinctrl-rp1", FakeGPIOSystem.header)
    let system = FakeGPIOSystem(Chip("gpiochip0", "gpio-brcmstb", FakeGPIOSystem.header), rp1)
    let request = try system.gpio().request([.input("GPIO17")], consumer: "test")
    #expect(rp1.requests.map { $0.lines.map(\.offset) } == [[17]])
    request.release()
    #expect(system.openChips == 0)
    #expect(system.heldRequests == 0)
  }

  @Test("the chips in use are told by name and label, each once")
  func chipsInUse() throws {
    let system = FakeGPIOSystem(
      Chip("gpiochip0", "pinctrl-bcm2711", FakeGPIOSystem.header), Chip("gpiochip1", "expander", ["KEY"]))
    let gpio = system.gpio()
    #expect(gpio.chipsInUse == [])
    for line in ["GPIO17", "KEY", "GPIO4"] as [LineName] {
      try gpio.request([.input(line)], consumer: "test").release()
    }
    #expect(gpio.chipsInUse == ["gpiochip0 (pinctrl-bcm2711)", "gpiochip1 (expander)"])
  }

  @Test("GPIO17 of a Pi is offset 17 where the kernel calls the line PIN11")
  func oldNames() throws {
    let rp1 = Chip("gpiochip0", "pinctrl-rp1", (0..<28).map { "PIN\($0)" })
    let system = FakeGPIOSystem(rp1)
    try system.gpio().request([.input("GPIO17"), .input("PIN3")], consumer: "test").release()
    #expect(rp1.requests.map { $0.lines.map(\.offset) } == [[17, 3]])
  }

  @Test("GPIO017 is no other spelling of GPIO17")
  func leadingZero() {
    let system = FakeGPIOSystem(Chip("gpiochip0", "pinctrl-rp1", FakeGPIOSystem.header))
    #expect(
      system.message([.input("GPIO017")])
        == "cannot request line GPIO017 of pinctrl-rp1 as input: the chip has no line of that name. "
        + "The nearest is GPIO17; `gpioinfo` lists all lines.")
  }

  @Test("without a Pi's header the chip that has all the lines named is taken")
  func byNames() throws {
    let first = Chip("gpiochip0", "a", ["KEY", "X"])
    let second = Chip("gpiochip1", "b", ["LAMP", "KEY"])
    let system = FakeGPIOSystem(first, second)
    try system.gpio().request([.input("KEY"), .output("LAMP")], consumer: "test").release()
    #expect(first.requests.isEmpty)
    #expect(second.requests.map { $0.lines.map(\.offset) } == [[1, 0]])
  }

  @Test(
    "a chip is chosen by label, name and path",
    arguments: ["expander", "gpiochip1", "/dev/gpiochip1"])
  func chosen(name: String) throws {
    let expander = Chip("gpiochip1", "expander", ["GPIO0"])
    let system = FakeGPIOSystem(Chip("gpiochip0", "pinctrl-rp1", FakeGPIOSystem.header), expander)
    try system.gpio(.named(name)).request([.input("GPIO0")], consumer: "test").release()
    #expect(expander.requests.count == 1)
  }

  @Test("a label comes before a name")
  func labelFirst() throws {
    let odd = Chip("gpiochip1", "gpiochip0", ["A"])
    let system = FakeGPIOSystem(Chip("gpiochip0", "x", ["A"]), odd)
    try system.gpio(.named("gpiochip0")).request([.input("A")], consumer: "test").release()
    #expect(odd.requests.count == 1)
  }

  @Test("gpiochip1:3 picks its chip itself, whatever chip is chosen")
  func ownChip() throws {
    let other = Chip("gpiochip1", "other", ["", "", "", ""])
    let system = FakeGPIOSystem(Chip("gpiochip0", "pinctrl-rp1", FakeGPIOSystem.header), other)
    try system.gpio(.named("nothing")).request([.input("gpiochip1:3")], consumer: "test").release()
    try system.gpio().request([.input("other:2")], consumer: "test").release()
    #expect(other.requests.map { $0.lines.map(\.offset) } == [[3], [2]])
  }

  @Test("a line with a colon in its name is found by it where no chip is called so")
  func colon() throws {
    let chip = Chip("gpiochip0", "board", ["door", "pump:2", "gpiochip0:0"])
    let system = FakeGPIOSystem(chip)
    for choice in [GPIOChipPort.ChipChoice.auto, .named("board")] {
      try system.gpio(choice).request([.input("pump:2"), .input("gpiochip0:0")], consumer: "test").release()
    }
    #expect(chip.requests.map { $0.lines.map(\.offset) } == [[1, 0], [1, 0]])
    #expect(
      system.message([.input("pump:3")])
        == "cannot find GPIO chip \"pump\": no chip has this label, name or path. "
        + "Choose one of these: gpiochip0 (board, 3 lines).")
  }

  @Test("a link for an older name is not a second chip")
  func link() throws {
    let rp1 = Chip("gpiochip0", "pinctrl-rp1", FakeGPIOSystem.header)
    let system = FakeGPIOSystem(rp1)
    system.nodes.append(("gpiochip4", rp1))
    #expect(
      system.message(.named("x"), [.input("GPIO1")])
        == "cannot find GPIO chip \"x\": no chip has this label, name or path. "
        + "Choose one of these: gpiochip0 (pinctrl-rp1, 28 lines).")
    try system.gpio().request([.input("gpiochip4:1"), .input("GPIO2")], consumer: "test").release()
    #expect(rp1.requests.map { $0.lines.map(\.offset) } == [[1, 2]])
  }

  @Test("settings reach the kernel: the debounce period rounded up to microseconds, the consumer cut at 31 bytes")
  func settings() throws {
    let rp1 = Chip("gpiochip0", "pinctrl-rp1", FakeGPIOSystem.header)
    let line = LineConfiguration(
      "GPIO2", .input(.pullDown), isActiveLow: true, debounce: .nanoseconds(5_000_001))
    try FakeGPIOSystem(rp1).gpio().request([line], consumer: "a panel with a name of 30 bytesß").release()
    #expect(rp1.requests[0].consumer == "a panel with a name of 30 bytes")
    #expect(
      rp1.requests[0].lines == [
        SystemLine(offset: 2, direction: .input(.pullDown), isActiveLow: true, debounceMicroseconds: 5001)
      ])
  }

  @Test("lines are held in the name of this program where no other is given")
  func consumer() throws {
    let rp1 = Chip("gpiochip0", "pinctrl-rp1", FakeGPIOSystem.header)
    let name = LineConsumer.thisProgram
    #expect(!name.isEmpty && !name.contains("/"))
    try FakeGPIOSystem(rp1).gpio().request([.input("GPIO2")]).release()
    #expect(rp1.requests[0].consumer == String(name.prefix(31)))
  }

  @Test("the generation of libgpiod decides what the lines can do")
  func abilities() throws {
    let system = FakeGPIOSystem(Chip("gpiochip0", "pinctrl-rp1", FakeGPIOSystem.header))
    let second = try system.gpio().request([.input("GPIO2")], consumer: "test")
    #expect(second.abilities == EdgeCapabilities(debounces: true, numbersEdges: true, queueDepth: 1024))
    system.generation = 1
    let first = try system.gpio().request([.input("GPIO3")], consumer: "test")
    #expect(first.abilities == EdgeCapabilities(debounces: false, numbersEdges: false, queueDepth: 16))
  }
}
