import CycleCore
import HardwareDrivers
import HardwareSimulation

/// The lines that an application holds on its simulated chips; each input line has a contact, which a console or a
/// browser operates.
final class HandOperatedLines {
  struct Input {
    var line: SimulatedLine
    var contact: Contact
    var name: String { line.name.description }
  }

  private let bench: Bench
  /// Inputs that are not driven by anything else on the bench.
  let inputs: [Input]
  let outputs: [SimulatedLine]

  /// - Parameter platform: the platform of the application, which has been started and holds its lines.
  init(of platform: Platform) {
    bench = platform.bench
    let chips = platform.simulated(named: GPIOChipPort.name).compactMap { $0 as? SimulatedChip }
    let held = chips.flatMap(\.lines).filter(\.isOurs)
    outputs = held.filter(\.isOutput)
    inputs = held.filter { !$0.isOutput && !$0.isConnected }.map {
      Input(line: $0, contact: Self.contact(at: $0, on: platform.bench))
    }
  }

  /// A contact that drives the line to its active level when closed. When open, it drives the line to the inactive
  /// level, unless the bias does.
  private static func contact(at line: SimulatedLine, on bench: Bench) -> Contact {
    let active: Level = line.isActiveLow ? .low : .high
    let inactive: Level = line.isActiveLow ? .high : .low
    let isPulled = line.bias == (inactive == .high ? .pullUp : .pullDown)
    return Contact(bench, line: line, closed: active, open: isPulled ? nil : inactive)
  }

  /// Closes or opens a contact, as a step of the recording's world: `press GPIO17`, `release GPIO17`.
  func move(_ input: Int, toClosed isClosed: Bool) throws(DriverError) {
    let contact = inputs[input].contact
    try bench.act("\(isClosed ? "press" : "release") \(inputs[input].name)") { () throws(DriverError) in
      if isClosed { try contact.press() } else { try contact.release() }
    }
  }
}
