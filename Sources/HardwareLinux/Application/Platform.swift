import CycleCore
import HardwareDrivers
import HardwareSimulation

/// What an application runs on: gives it the hardware behind its ports, real or simulated, and the clock that it runs by.
///
///     let platform = try Platform(.simulated)
///     let cycle = makeCycle(on: platform)             // asks for `platform.chip`, `platform.card`, `platform.hardware(at: ...)`
///     try platform.bench.run(cycle)
///     try platform.simulatedChip!.contact(at: "GPIO17").press()
public final class Platform {
  /// What stands behind its ports. What a port can't be is simulated.
  public let options: PortOptions
  /// Where the application runs. Its clock is virtual if nothing is real, unless real time is asked for.
  public let bench: Bench
  /// What has been asked for, in this order.
  private var connections: [any AnyConnection] = []

  /// Opens nothing.
  ///
  /// - Parameters:
  ///   - isLive: whether simulated hardware runs in real time too, as for somebody who watches.
  ///   - seed: where the chance of simulated hardware begins.
  /// - Throws: what the system says where it has no descriptors for the clock.
  public init(_ options: PortOptions, isLive: Bool = false, seed: UInt64 = 0) throws(DriverError) {
    self.options = options
    let loop: any EventLoop
    if isLive || options.isPartlyReal { loop = try LinuxLoop() } else { loop = VirtualLoop() }
    bench = Bench(seed: seed, loop: loop)
  }

  /// The hardware behind a port: the same each time. Opens nothing.
  public func hardware<P: Port>(at port: P) -> P.Hardware { connection(to: port).hardware }

  /// The simulated hardware behind a port, with the side of the world; nil where it is not simulated.
  public func simulated<P: Port>(at port: P) -> P.Simulated? { connection(to: port).simulated }

  /// The simulated hardware of all ports of this name that have been asked for, in this order.
  public func simulated(named name: String) -> [any SimulatedHardware] {
    connections.compactMap { $0.port.name == name ? $0.simulatedHardware : nil }
  }

  /// The kinds of ports that have been asked for, in this order.
  var ports: [any Port.Type] {
    connections.reduce(into: []) { ports, connection in
      if !ports.contains(where: { $0.name == connection.port.name }) { ports.append(connection.port) }
    }
  }

  private func connection<P: Port>(to port: P) -> Connection<P> {
    for connection in connections {
      if let connection = connection as? Connection<P>, connection.value == port { return connection }
    }
    let made: Connection<P>
    switch options[P.name] {
    case .real: made = Connection(port, hardware: port.makeReal(), simulated: nil)
    case let choice where choice != .simulated && choice.fits(P.self):
      made = Connection(port, hardware: port.makeFile(at: choice.text), simulated: nil)
    default:
      let simulated = port.makeSimulated(on: bench)
      made = Connection(port, hardware: P.hardware(simulated), simulated: simulated)
    }
    connections.append(made)
    return made
  }
}

/// A port that has been asked for, and what is behind it.
private final class Connection<P: Port>: AnyConnection {
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
