import CycleCore
import HardwareDrivers

/// The hardware of a driver, as observed by ``DriverLaws``, which also makes it fail.
///
/// Use ``ChipLawHarness`` for drivers on a ``SimulatedChip``; implement this protocol for other hardware.
public protocol LawHarness: AnyObject {
  var bench: Bench { get }
  /// The names of the hardware's lines or devices: the driver's errors must contain one of them, if there are any.
  var names: [String] { get }
  /// The number of writes that the driver has attempted, including failed ones.
  var writeCount: Int { get }
  /// The moments of the driver's writes, for the law about the time between writes; empty if the setup doesn't record
  /// them.
  var writeMoments: [Moment] { get }
  /// The number of things (lines, devices) that the driver holds.
  var heldCount: Int { get }
  /// Whether the driver holds anything while it runs; false, for example, for a file that is opened again for each
  /// reading.
  var holdsAnything: Bool { get }
  /// The state that the hardware shows now, as text; it must not change when the driver releases the hardware.
  var picture: String { get }
  /// Whether ``picture`` depends on the model; false if models only configure an input or a counter.
  var hasPicture: Bool { get }
  /// Whether the hardware shows the model of the first frame as soon as the driver has started; false if a worker opens
  /// it later.
  var showsFromStart: Bool { get }
  /// The time that the hardware takes to show a model.
  var settlingTime: Duration { get }
  /// Whether the hardware stamps what happens, as a chip stamps edges. If not, the driver knows only when it has read
  /// the hardware, and the moments of its events depend on how late it is.
  var stampsEvents: Bool { get }
  /// Whether the driver wakes while nothing happens, because it has to read or write the hardware at intervals.
  var wakesAtRest: Bool { get }
  /// Whether the driver gets the exact number of the events that the hardware has lost, and so can count them.
  var countsLostEvents: Bool { get }
  /// Whether the driver repeats a failed write immediately, so that a single failure needs no report. The hardware must
  /// show the model nevertheless.
  var repeatsWrites: Bool { get }
  /// One sentence for each violation of the hardware's data sheet: a pulse too short, a write while it was busy.
  var faults: [String] { get }

  /// Makes the driver's next request of the hardware fail. Returns false if the setup can't do that.
  func failNextRequest() -> Bool
  /// Makes the write after `count` successful ones fail and change nothing; nil cancels that. Returns false if the
  /// setup can't do that.
  func failWrite(after count: Int?) -> Bool
  /// Makes the write after `count` successful ones fail although it takes effect, as if only its acknowledgement got
  /// lost; nil cancels that. Returns false if the setup can't do that.
  func failWriteWithEffect(after count: Int?) -> Bool
  /// Makes every write fail and change nothing, until called with false. Returns false if the setup can't do that.
  func failWrites(_ fail: Bool) -> Bool
  /// Unplugs the hardware. Returns false if the setup can't do that.
  func unplug() -> Bool
  /// Plugs the hardware in again.
  func plug()
  /// Makes the hardware keep two events at most for a driver that is late, and lose the others, until called with
  /// false. Returns false if the setup can't do that.
  func loseEvents(_ loses: Bool) -> Bool
  /// Watches what the hardware shows from now on. The result returns a sentence if that has been anything but the
  /// state before and the present state, and nil if not.
  func watchOutputs() -> () -> String?
  /// Calls `listener` at each access of the driver to the hardware. The default never calls it.
  func onAccess(_ listener: @escaping () -> Void)
  /// Changes something in the world that makes the driver emit events; may advance time.
  func stimulate() throws(DriverError)
  /// Changes all inputs of the driver to a state that differs from that at rest, or back. Takes no time. Returns false
  /// if the setup can't do that, or if the driver has no inputs with states.
  func operate(_ isOperated: Bool) -> Bool
}

extension LawHarness {
  public var holdsAnything: Bool { true }
  public var hasPicture: Bool { true }
  public var showsFromStart: Bool { true }
  public var settlingTime: Duration { .zero }
  public var stampsEvents: Bool { true }
  public var wakesAtRest: Bool { false }
  public var countsLostEvents: Bool { false }
  public var repeatsWrites: Bool { false }
  public var writeMoments: [Moment] { [] }
  public var faults: [String] { [] }
  public func failNextRequest() -> Bool { false }
  public func failWrite(after count: Int?) -> Bool { false }
  public func failWriteWithEffect(after count: Int?) -> Bool { false }
  public func failWrites(_ fail: Bool) -> Bool { false }
  public func loseEvents(_ loses: Bool) -> Bool { false }
  public func watchOutputs() -> () -> String? { { nil } }
  public func onAccess(_ listener: @escaping () -> Void) {}
  public func unplug() -> Bool { false }
  public func plug() {}
  public func operate(_ isOperated: Bool) -> Bool { false }
}

/// The pictures that hardware has shown, each at the end of the moment at which it changed.
final class PictureLog {
  private weak var setup: (any LawHarness)?
  private let first: String
  private var later: [String] = []
  private var planned: Moment?
  private var isOver = false

  init(_ setup: any LawHarness) {
    self.setup = setup
    first = setup.picture
  }

  /// Notes the picture at the end of this moment, once for all changes at the same moment.
  func note() {
    guard !isOver, let bench = setup?.bench, planned != bench.now else { return }
    planned = bench.now
    bench.plan(at: bench.now) { self.add() }
  }

  private func add() {
    if let picture = setup?.picture, picture != later.last ?? first { later.append(picture) }
  }

  /// Ends the log. Returns a sentence if the hardware has shown anything but the first picture, and then the present
  /// one; nil if not.
  func end() -> String? {
    add()
    isOver = true
    return later.count < 2 ? nil : "it shows something else first"
  }
}

/// The ``LawHarness`` of a driver on lines of a simulated chip.
public final class ChipLawHarness: LawHarness {
  public let chip: SimulatedChip
  private let inputs: [LineName]
  private let outputs: [LineName]
  public let hasPicture: Bool
  public let stampsEvents: Bool
  public let wakesAtRest: Bool
  public let settlingTime: Duration
  private let queueDepth: Int
  private let draw: (() -> String)?
  private let act: ((Bench) throws(DriverError) -> Void)?
  private let complain: () -> [String]
  private let setPlugged: (Bool) -> Void
  public private(set) var writeMoments: [Moment] = []

  /// - Parameters:
  ///   - plug: unplugs (false) or plugs in (true) the hardware that the laws remove; default: the chip.
  ///   - inputs: the driver's input lines. The stimulus drives each low, then each high, then stops driving each, for
  ///     50 ms each. Then each gets two low pulses of 10 ms, 10 ms apart: a driver that reads 30 ms late finds the line
  ///     high again.
  ///   - outputs: the driver's output lines; their levels are the picture.
  ///   - picture: describes the hardware on the lines, instead of their levels.
  ///   - hasPicture: whether the picture depends on the model; false for a sensor whose model only switches it on.
  ///   - isPolled: whether the driver finds out by reading, at intervals, what has happened. Then the moments of its
  ///     events are those of its readings, and it may wake while nothing happens.
  ///   - stampsEvents: false if events have the moments of what the driver itself has done, as that of a motor that has
  ///     arrived: they depend on how late it is.
  ///   - settlingTime: the time that the hardware takes to show a model.
  ///   - faults: the violations of data sheets that the hardware on the lines has recorded.
  ///   - stimulate: makes the driver emit events, instead of driving `inputs`.
  ///   - chip: the chip that the lines belong to.
  public init(
    _ chip: SimulatedChip, plug: ((_ isPlugged: Bool) -> Void)? = nil, inputs: [LineName] = [],
    outputs: [LineName] = [], picture: (() -> String)? = nil,
    hasPicture: Bool = true, isPolled: Bool = false, stampsEvents: Bool = true,
    settlingTime: Duration = .zero, faults: @escaping () -> [String] = { [] },
    stimulate: ((Bench) throws(DriverError) -> Void)? = nil
  ) {
    self.chip = chip
    self.inputs = inputs
    self.outputs = outputs
    self.hasPicture = hasPicture
    wakesAtRest = isPolled
    self.stampsEvents = stampsEvents && !isPolled
    self.settlingTime = settlingTime
    queueDepth = chip.edgeQueueDepth
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
  /// The second generation numbers the edges of a line. What edges of several lines mean depends on their order, which
  /// is lost.
  public var countsLostEvents: Bool { chip.generation == .second && inputs.count < 2 }
  public var names: [String] { (inputs + outputs).map(\.description) }
  public var writeCount: Int { chip.writeCount }
  public var heldCount: Int { chip.heldLines }
  public var faults: [String] { complain() }

  public var picture: String { draw?() ?? outputs.map { chip.line($0).level == .high ? "#" : "_" }.joined() }

  public func failNextRequest() -> Bool {
    chip.nextRequestError = failure("request")
    return true
  }

  public func failWrite(after count: Int?) -> Bool { failWrite(after: count, takesEffect: false) }

  public func failWriteWithEffect(after count: Int?) -> Bool { failWrite(after: count, takesEffect: true) }

  private func failWrite(after count: Int?, takesEffect: Bool) -> Bool {
    guard !outputs.isEmpty else { return false }
    chip.failedWritesTakeEffect = takesEffect
    chip.nextWriteError = count.map { _ in failure("write") }
    chip.writesBeforeError = count ?? 0
    return true
  }

  public func failWrites(_ fail: Bool) -> Bool {
    guard !outputs.isEmpty else { return false }
    chip.failedWritesTakeEffect = false
    chip.lastingWriteError = fail ? failure("write") : nil
    return true
  }

  public func loseEvents(_ loses: Bool) -> Bool {
    chip.edgeQueueDepth = loses ? 2 : queueDepth
    return true
  }

  /// Watches the levels of the outputs, each of which may change once; with a picture of its own, the picture.
  public func watchOutputs() -> () -> String? {
    guard draw == nil else {
      let log = PictureLog(self)
      for output in outputs { chip.line(output).onChange { _, _ in log.note() } }
      return { log.end() }
    }
    let before = outputs.map(changeCount)
    return { [self] in
      let counts = zip(outputs, before).map { ($0, changeCount(of: $0) - $1) }
      return counts.first { $0.1 > 1 }.map { "\($0) changes its level \($1) times" }
    }
  }

  private func changeCount(of output: LineName) -> Int {
    chip.line(output).changes.count + chip.line(output).forgottenChanges
  }

  public func onAccess(_ listener: @escaping () -> Void) { chip.onAccess { _, _ in listener() } }

  public func unplug() -> Bool {
    setPlugged(false)
    return true
  }

  public func plug() { setPlugged(true) }

  /// Drives the inputs low, or stops driving them. Returns false if there are none, or if the setup has its own
  /// `stimulate` function.
  public func operate(_ isOperated: Bool) -> Bool {
    guard act == nil else { return false }
    for input in inputs { chip.line(input).drive(isOperated ? .low : nil) }
    return !inputs.isEmpty
  }

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
