import CycleCore

/// Memory that stands for the hardware: drivers render their models into it.
public struct Registers: @unchecked Sendable {
  public let words = UnsafeMutablePointer<Int>.allocate(capacity: 16)

  public init() { words.initialize(repeating: 0, count: 16) }

  /// A number that depends on every write: two programs that render the same models have the same.
  public var checksum: Int { (0..<16).reduce(0) { $0 &+ ($1 &+ 1) &* words[$1] } }
}

/// Buttons: emits the next press as soon as the frame of the last one is rendered, until `last`.
///
/// The cycle and the loop written by hand get their presses by this same rule; each queues them in its own way.
public struct Presses: Driver {
  public enum Event: Sendable {
    case pressed(Int)
    case released(Int)
    /// Never emitted: it makes events hold a counted reference, as those of many drivers do.
    indirect case failed(DriverError)
  }

  let last: Int
  var context: DriverContext<Event>!
  public var safeModel: Int { last }

  public init(last: Int) { self.last = last }

  public mutating func start(showing model: Int, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
  }

  public mutating func render(_ model: Int, replacing previous: Int?) throws(DriverError) {
    if model < last { context.emit(.pressed(model)) }
  }

  public mutating func stop() {}
}

extension Presses.Event: Recordable {
  public func write(to recording: inout JSONWriter) {
    switch self {
    case .pressed(let number): recording.write(case: "pressed", number)
    case .released(let number): recording.write(case: "released", number)
    case .failed: recording.write(plain: "failed")
    }
  }

  public init(from recording: inout JSONReader) throws(RecordingTextFault) {
    let place = recording.offset
    switch try recording.readCase() {
    case ("pressed", true): self = .pressed(try recording.readPayload())
    case ("released", true): self = .released(try recording.readPayload())
    case (let name, _): throw recording.unknownCase(name, of: Self.self, at: place)
    }
  }
}

/// A lamp or a number: writes its model to its register.
public struct Output: Driver {
  public typealias Event = Never
  let registers: Registers
  let place: Int
  public var safeModel: Int { 0 }

  public init(_ registers: Registers, place: Int) {
    self.registers = registers
    self.place = place
  }

  public mutating func start(showing model: Int, in context: DriverContext<Never>) throws(DriverError) {}

  public mutating func render(_ model: Int, replacing previous: Int?) throws(DriverError) {
    registers.words[place] = registers.words[place] &* 31 &+ model
  }

  public mutating func stop() {}
}

/// A display of a few characters: writes their number to its register.
public struct Display: Driver {
  public typealias Event = Never
  let registers: Registers
  let place: Int
  public var safeModel: String { "" }

  public init(_ registers: Registers, place: Int) {
    self.registers = registers
    self.place = place
  }

  public mutating func start(showing model: String, in context: DriverContext<Never>) throws(DriverError) {}

  public mutating func render(_ model: String, replacing previous: String?) throws(DriverError) {
    registers.words[place] = registers.words[place] &* 31 &+ model.utf8.count
  }

  public mutating func stop() {}
}

/// Hardware that a benchmark feeds: a push stands for a descriptor that becomes ready.
public final class Feed {
  @exclusivity(unchecked) var count = 0
  @exclusivity(unchecked) var waker: DriverWaker?

  public init() {}

  /// Wakes the driver with a new count.
  public func push() {
    count &+= 1
    waker?.wake()
  }
}

/// Reads a ``Feed``.
public struct Fed: Driver {
  public typealias Event = Int
  let feed: Feed
  var context: DriverContext<Int>!

  public init(_ feed: Feed) { self.feed = feed }

  public mutating func start(showing model: NoModel, in context: DriverContext<Int>) throws(DriverError) {
    self.context = context
    feed.waker = context.watcher.makeWaker()
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) { context.emit(feed.count) }

  public mutating func stop() {}
}

/// Hardware with a backlog: each wake emits `count` events, stamped `step` apart.
public struct Burst: Driver {
  public typealias Event = Int
  let feed: Feed
  let count: Int
  /// How long before the turn the first event happened, and the time between two events.
  let (age, step): (Duration, Duration)
  var context: DriverContext<Int>!

  public init(_ feed: Feed, count: Int, age: Duration, step: Duration) {
    (self.feed, self.count) = (feed, count)
    (self.age, self.step) = (age, step)
  }

  public mutating func start(showing model: NoModel, in context: DriverContext<Int>) throws(DriverError) {
    self.context = context
    feed.waker = context.watcher.makeWaker()
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    var moment = Moment(nanoseconds: context.now.nanoseconds - age.wholeNanoseconds)
    let step = step.wholeNanoseconds
    for number in 0..<count {
      context.emit(number, at: moment)
      moment.nanoseconds &+= step
    }
  }

  public mutating func stop() {}
}
