import CycleCore
import HardwareDrivers
import HardwareSimulation
import Terminal
import Testing

@testable import HardwareLinux
@testable import HardwarePlatform

/// A port that the toolkit knows nothing of.
private struct ScalePort: PlatformPort {
  typealias Hardware = any Scale
  static let name = "scale"
  var place = "left"

  func makeReal() -> any Scale { RealScale() }
  func makeSimulated(on bench: Bench) -> SimulatedScale { SimulatedScale() }
  static func hardware(_ simulated: SimulatedScale) -> any Scale { simulated }
}

private protocol Scale: AnyObject { var grams: Int { get } }

private final class RealScale: Scale { let grams = -1 }

private final class SimulatedScale: Scale, SimulatedHardware {
  var grams = 7
  private(set) var isPlugged = true
  func unplug() { isPlugged = false }
  func plug() { isPlugged = true }
}

@Suite("The platform and its ports")
struct PlatformTests {
  @Test("equal ports are the same hardware, others are others")
  func identity() throws {
    let platform = try Platform(.simulated)
    #expect(platform.hardware(at: ScalePort()) === platform.hardware(at: ScalePort()))
    #expect(platform.hardware(at: ScalePort()) !== platform.hardware(at: ScalePort(place: "right")))
    #expect(platform.hardware(at: ScalePort()) === platform.simulated(at: ScalePort()))
    #expect(platform.chip === platform.simulatedChip)
    #expect(platform.hardware(at: I2CBusPort()) !== platform.hardware(at: I2CBusPort(.number(2))))
  }

  @Test("what stands behind a port is what the options say")
  func choices() throws {
    let platform = try Platform(PortChoices(others: .simulated, ["scale": .real, "audio": .file("/tmp/sound.wav")]))
    #expect(platform.hardware(at: ScalePort()).grams == -1)
    #expect(platform.simulated(at: ScalePort()) == nil)
    #expect(platform.card is WAVFileCard)
    #expect(platform.simulatedCard == nil)
    #expect(platform.simulatedChip != nil)
  }

  @Test("time is virtual where nothing is real, unless somebody watches")
  func time() throws {
    #expect(try Platform(.simulated).bench.loop is VirtualLoop)
    #expect(try Platform(.simulated, usesRealClock: true).bench.loop is LinuxLoop)
    #expect(try Platform(PortChoices(others: .simulated, ["gpio": .real])).bench.loop is LinuxLoop)
    #expect(try Platform(.real).bench.loop is LinuxLoop)
  }

  @Test("hardware is taken away by the name of its ports")
  func unplugging() throws {
    let platform = try Platform(.simulated)
    #expect(platform.simulated(named: "scale").isEmpty, "nobody has asked for one")
    let left = try #require(platform.simulated(at: ScalePort()))
    let right = try #require(platform.simulated(at: ScalePort(place: "right")))
    _ = platform.chip
    for hardware in platform.simulated(named: "scale") { hardware.unplug() }
    #expect(!left.isPlugged && !right.isPlugged)
    #expect(platform.simulatedChip?.isPlugged == true)
  }

  @Test("every port has its option, and --simulated is for all the others")
  func options() throws {
    let ports: [any Port.Type] = [GPIOChipPort.self, SoundCardPort.self, ScalePort.self]
    let syntax = CommandSyntax("scales", "Weighs.", options: PortChoices.options(of: ports))
    func options(_ arguments: String...) throws -> PortChoices {
      PortChoices(try syntax.parse(arguments), of: ports.map { $0.name }, others: .real)
    }
    #expect(try options() == .real)
    #expect(try options("--simulated") == .simulated)
    let mixed = try options("--scale", "real", "--simulated", "--audio=Out.WAV")
    #expect(mixed["scale"] == .real)
    #expect(mixed["audio"] == .file("Out.WAV"))
    #expect(mixed["gpio"] == .simulated)
    #expect(
      PortChoices(guessing: ["--scale=real", "--simulated", "--audio", "Out.WAV"], besides: [], others: .real) == mixed)
    // Options that are of no port may have no value, or a value of their own.
    let others = [CommandSyntax.Option("--quick", help: ""), CommandSyntax.Option("--record", value: "FILE", help: "")]
    let among = ["--scale=real", "--record", "a.recording", "--simulated", "--audio", "Out.WAV", "--quick"]
    #expect(PortChoices(guessing: among, besides: others, others: .real) == mixed)
    #expect(throws: CommandEnd.self) { try options("--scale", "out.wav") }
    #expect(throws: CommandEnd.self) { try options("--audio", "out.mp3") }
    #expect(throws: CommandEnd.self) { try options("--i2c", "real") }
  }
}
