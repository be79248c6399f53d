import CycleCore

/// The hardware below a driver, as ``DriverLaws`` sees and troubles it.
///
/// ``ChipPort`` is one for drivers on a ``SimulatedChip``; write one for a seam of your own.
public protocol LawPort: AnyObject {
  var bench: Bench { get }
  /// What the port calls its lines: an error of the driver must contain one of these.
  var names: [String] { get }
  /// How often the driver has written since it took the hardware, failed writes included.
  var writeCount: Int { get }
  /// How many things (lines, devices) the driver holds.
  var heldCount: Int { get }
  /// What the hardware shows now, as text; it goes on showing that when it is released.
  var picture: String { get }

  /// Has the driver's next attempt to take the hardware fail. False if the port can't.
  func failNextRequest() -> Bool
  /// Has the driver's next write fail and change nothing. False if the port can't.
  func failNextWrite() -> Bool
  /// Does what the driver tells events of; time may pass.
  func stimulate() throws(DriverError)
}

/// Lines of a simulated chip as a ``LawPort``.
public final class ChipPort: LawPort {
  public let chip: SimulatedChip
  private let inputs: [LineName]
  private let outputs: [LineName]

  /// - Parameters:
  ///   - inputs: lines that the driver listens to; each is pulled low and let go to have it tell events.
  ///   - outputs: lines that the driver drives; their levels are the picture.
  public init(_ chip: SimulatedChip, inputs: [LineName] = [], outputs: [LineName] = []) {
    self.chip = chip
    self.inputs = inputs
    self.outputs = outputs
    chip.keepsReleasedOutputs = true
  }

  public var bench: Bench { chip.bench }
  public var names: [String] { (inputs + outputs).map(\.description) }
  public var writeCount: Int { chip.writeCount }
  public var heldCount: Int { chip.heldLines }
  public var picture: String { outputs.map { chip.line($0).level == .high ? "#" : "_" }.joined() }

  public func failNextRequest() -> Bool {
    chip.nextRequestError = failure("request")
    return true
  }

  public func failNextWrite() -> Bool {
    guard !outputs.isEmpty else { return false }
    chip.nextWriteError = failure("write")
    return true
  }

  private func failure(_ operation: String) -> DriverError {
    let lines = names.joined(separator: ", ")
    return DriverError(
      .failed, cannot: "\(operation) lines \(lines) of \(chip.label)", reason: "input/output error",
      remedy: "This failure was asked for.")
  }

  public func stimulate() throws(DriverError) {
    for level in [Level.low, nil] {
      for input in inputs {
        chip.line(input).drive(level)
        try bench.advance(by: .milliseconds(50))
      }
    }
  }
}
