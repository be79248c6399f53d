import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// Provides an application with the hardware of its ports, real or simulated, and with the clock.
///
///     let platform = try Platform(.simulated)
///     // `makeCycle` asks for `platform.chip`, `platform.card`, `platform.hardware(at: ...)`.
///     let cycle = makeCycle(on: platform)
///     try platform.bench.run(cycle)
///     try platform.simulatedChip!.contact(at: "GPIO17").press()
public final class Platform {
  /// Whether each port is real, simulated or a file. A port that doesn't support the chosen file is simulated.
  public let options: PortChoices
  /// The bench on which the application runs. Its clock is virtual if no port is real and `usesRealClock` was false.
  public let bench: Bench
  /// Returns the recorder for the edges of all chips' lines; nil if they are not recorded. It is set before any port is
  /// requested.
  var edgeRecorder: (() -> Recorder?)?
  /// The ports requested so far, in the order of their first request.
  private var connections: [any AnyConnection] = []

  /// Doesn't open the hardware.
  ///
  /// - Parameters:
  ///   - usesRealClock: whether to run in real time even if all hardware is simulated, as in a terminal.
  ///   - seed: the seed of the random numbers of simulated hardware.
  ///   - beginning: the moment in virtual time at which the first frame is due. The clock starts 100 ms earlier, so
  ///     that inputs can be read.
  ///   - options: the choice for each port.
  /// - Throws: the error of ``HardwareLinux/LinuxLoop/init()`` if no more descriptors can be opened.
  public init(
    _ options: PortChoices, usesRealClock: Bool = false, seed: UInt64 = 0, beginning: Moment = .zero
  ) throws(DriverError) {
    self.options = options
    let loop: any EventLoop
    if usesRealClock || options.isPartlyReal {
      loop = try LinuxLoop()
    } else {
      loop = VirtualLoop(beginning: beginning + .milliseconds(-100))
    }
    bench = Bench(seed: seed, loop: loop)
    if loop.isVirtual { bench.earliestFirstFrame = beginning }
  }

  /// The hardware of a port; the same for equal ports. Opens nothing.
  public func hardware<P: PlatformPort>(at port: P) -> P.Hardware { connection(to: port).hardware }

  /// The simulated hardware of a port, for a test to operate and inspect; nil if the port is not simulated.
  public func simulated<P: PlatformPort>(at port: P) -> P.Simulated? { connection(to: port).simulated }

  /// The simulated hardware of all requested ports of this name, in the order of their first request.
  public func simulated(named name: String) -> [any SimulatedHardware] {
    connections.compactMap { $0.port.name == name ? $0.simulatedHardware : nil }
  }

  /// The types of the requested ports, one for each name, in the order of their first request.
  var ports: [any Port.Type] {
    connections.reduce(into: []) { ports, connection in
      if !ports.contains(where: { $0.name == connection.port.name }) { ports.append(connection.port) }
    }
  }

  private func connection<P: PlatformPort>(to port: P) -> Connection<P> {
    for connection in connections {
      if let connection = connection as? Connection<P>, connection.value == port { return connection }
    }
    let made: Connection<P>
    switch options[P.name] {
    case .real: made = Connection(port, hardware: recorded(port.makeReal()), simulated: nil)
    case let choice where choice != .simulated && choice.fits(P.self):
      made = Connection(port, hardware: port.makeFile(at: choice.text), simulated: nil)
    default:
      let simulated = port.makeSimulated(on: bench)
      made = Connection(port, hardware: recorded(P.hardware(simulated)), simulated: simulated)
    }
    connections.append(made)
    return made
  }

  /// The hardware. A chip is wrapped to record its edges if ``edgeRecorder`` is set.
  private func recorded<Hardware>(_ hardware: Hardware) -> Hardware {
    guard let edgeRecorder, let chip = hardware as? any GPIOChip else { return hardware }
    let recorded: any GPIOChip = EdgeRecordingChip(
      chip, clock: { [loop = bench.loop] in loop.now }, recorder: edgeRecorder)
    return recorded as? Hardware ?? hardware
  }
}

/// A port that a ``Platform`` can provide. An application that requests it gets the option `--NAME real|simulated` and
/// the simulation. In panel files, a kind must name it in its `ports`.
///
///     struct TemperaturePort: PlatformPort {
///       typealias Hardware = any TemperatureSource
///       static let name = "temperature"
///       func makeReal() -> any TemperatureSource { ThermalFile("/sys/class/thermal/thermal_zone0/temp") }
///       func makeSimulated(on bench: Bench) -> SimulatedTemperature { SimulatedTemperature(millidegrees: 42_000) }
///       static func hardware(_ simulated: SimulatedTemperature) -> any TemperatureSource { simulated }
///     }
///
///     let source = platform.hardware(at: TemperaturePort())
public typealias PlatformPort = RealPort & SimulatedPort

/// A requested port and its hardware.
private final class Connection<P: PlatformPort>: AnyConnection {
  let value: P
  let hardware: P.Hardware
  let simulated: P.Simulated?

  init(_ value: P, hardware: P.Hardware, simulated: P.Simulated?) {
    self.value = value
    self.hardware = hardware
    self.simulated = simulated
  }

  var port: any Port.Type { P.self }
  var simulatedHardware: (any SimulatedHardware)? { simulated }
}

private protocol AnyConnection: AnyObject {
  var port: any Port.Type { get }
  var simulatedHardware: (any SimulatedHardware)? { get }
}
