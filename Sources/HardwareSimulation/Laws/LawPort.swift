import CycleCore
import HardwareDrivers

/// The hardware below a driver, as ``DriverLaws`` sees and troubles it.
///
/// ``ChipPort`` is one for drivers on a ``SimulatedChip``; write one for a port of your own.
public protocol LawPort: AnyObject {
  var bench: Bench { get }
  /// What the port calls its lines: an error of the driver must contain one of these.
  var names: [String] { get }
  /// How often the driver has written since it took the hardware, failed writes included.
  var writeCount: Int { get }
  /// When the driver wrote, for ports that can tell: between two writes a driver that is late leaves no less time than one that is not.
  var writeMoments: [Moment] { get }
  /// How many things (lines, devices) the driver holds.
  var heldCount: Int { get }
  /// Whether the driver holds anything while it runs; false where there is nothing to hold, as of a file that is opened for each reading.
  var holdsAnything: Bool { get }
  /// What the hardware shows now, as text; it goes on showing that when it is released.
  var picture: String { get }
  /// Whether it can be seen what the hardware shows; false where a model says how to listen, or how to count.
  var hasPicture: Bool { get }
  /// Whether the hardware can show the seed's model when the driver has started and not run yet; false where a thread opens it.
  var showsFromStart: Bool { get }
  /// How long the hardware takes to show a model.
  var settlingTime: Duration { get }
  /// What was done to the hardware against its data sheet, a sentence each: a pulse too short, a write while it was busy.
  var faults: [String] { get }

  /// Has the driver's next attempt to take the hardware fail. False if the port can't.
  func failNextRequest() -> Bool
  /// Has one of the driver's writes fail and change nothing: the next after so many that go well; nil takes that back. False if the port
  /// can't.
  func failWrite(after count: Int?) -> Bool
  /// Has every write fail and change nothing, until it is called with false. False if the port can't.
  func failWrites(_ fail: Bool) -> Bool
  /// Takes the hardware away. False if the port can't.
  func unplug() -> Bool
  /// Brings it back.
  func plug()
  /// Does what the driver tells events of; time may pass.
  func stimulate() throws(DriverError)
}

extension LawPort {
  public var holdsAnything: Bool { true }
  public var hasPicture: Bool { true }
  public var showsFromStart: Bool { true }
  public var settlingTime: Duration { .zero }
  public var writeMoments: [Moment] { [] }
  public var faults: [String] { [] }
  public func failNextRequest() -> Bool { false }
  public func failWrite(after count: Int?) -> Bool { false }
  public func failWrites(_ fail: Bool) -> Bool { false }
  public func unplug() -> Bool { false }
  public func plug() {}
}

/// Lines of a simulated chip as a ``LawPort``.
public final class ChipPort: LawPort {
  public let chip: SimulatedChip
  private let inputs: [LineName]
  private let outputs: [LineName]
  public let hasPicture: Bool
  public let settlingTime: Duration
  private let draw: (() -> String)?
  private let act: ((Bench) throws(DriverError) -> Void)?
  private let complain: () -> [String]
  private let setPlugged: (Bool) -> Void
  public private(set) var writeMoments: [Moment] = []

  /// - Parameters:
  ///   - plug: pulls out (false) or plugs in what goes away; the chip with all its lines unless given.
  ///   - inputs: lines that the driver listens to; to have it tell events each is pulled low, high and let go, for 50 ms each, and then has
  ///     two pulses of 10 ms, which are over when a driver that is late by 30 ms hears of the first.
  ///   - outputs: lines that the driver drives; their levels are the picture.
  ///   - picture: draws what hardware behind the lines shows, instead of their levels.
  ///   - hasPicture: whether models can be told apart by that; not those of a sensor, which say whether it measures.
  ///   - settlingTime: how long that takes.
  ///   - faults: what hardware behind the lines complains of.
  ///   - stimulate: has the driver tell events, instead of pulling the inputs.
  public init(
    _ chip: SimulatedChip, plug: ((_ isPlugged: Bool) -> Void)? = nil, inputs: [LineName] = [],
    outputs: [LineName] = [], picture: (() -> String)? = nil,
    hasPicture: Bool = true, settlingTime: Duration = .zero, faults: @escaping () -> [String] = { [] },
    stimulate: ((Bench) throws(DriverError) -> Void)? = nil
  ) {
    self.chip = chip
    self.inputs = inputs
    self.outputs = outputs
    self.hasPicture = hasPicture
    self.settlingTime = settlingTime
    draw = picture
    act = stimulate
    complain = faults
    setPlugged = plug ?? { $0 ? chip.plug() : chip.unplug() }
    chip.keepsReleasedOutputs = true
    chip.onAccess { [weak self, bench = chip.bench] access, _ in
      if access == .write { self?.writeMoments.append(bench.now) }
    }
  }

  public var bench: Bench { chip.bench }
  public var names: [String] { (inputs + outputs).map(\.description) }
  public var writeCount: Int { chip.writeCount }
  public var heldCount: Int { chip.heldLines }
  public var faults: [String] { complain() }

  public var picture: String { draw?() ?? outputs.map { chip.line($0).level == .high ? "#" : "_" }.joined() }

  public func failNextRequest() -> Bool {
    chip.nextRequestError = failure("request")
    return true
  }

  public func failWrite(after count: Int?) -> Bool {
    guard !outputs.isEmpty else { return false }
    chip.nextWriteError = count.map { _ in failure("write") }
    chip.writesBeforeError = count ?? 0
    return true
  }

  public func failWrites(_ fail: Bool) -> Bool {
    guard !outputs.isEmpty else { return false }
    chip.lastingWriteError = fail ? failure("write") : nil
    return true
  }

  public func unplug() -> Bool {
    setPlugged(false)
    return true
  }

  public func plug() { setPlugged(true) }

  private func failure(_ operation: String) -> DriverError {
    let lines = names.joined(separator: ", ")
    return DriverError(
      .failed, of: lines, cannot: "\(operation) lines \(lines) of \(chip.label)", reason: "input/output error",
      remedy: "This failure was asked for.")
  }

  public func stimulate() throws(DriverError) {
    if let act { return try act(bench) }
    for level in [Level.low, .high, nil] {
      for input in inputs {
        chip.line(input).drive(level)
        try bench.advance(by: .milliseconds(50))
      }
    }
    for input in inputs {
      for level in [Level.low, .high, .low, .high] {
        chip.line(input).drive(level)
        try bench.advance(by: .milliseconds(10))
      }
      chip.line(input).drive(nil)
      try bench.advance(by: .milliseconds(50))
    }
  }
}
