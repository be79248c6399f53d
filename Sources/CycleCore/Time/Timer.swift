/// A driver whose hardware is the clock. Its model is the list of requested deadlines, and its events are the deadlines
/// that are due.
///
///     Lens(Timer<String>(), show: { $0.isRinging ? [.after(.seconds(3), "quiet", restart: $0.rings)] : [] },
///       on: { frame, event in if case .due("quiet") = event { frame.isRinging = false } })
///
/// A deadline that leaves the model before it is due emits no event. A deadline that was due emits no further event
/// until it leaves the model or changes. Events at one moment are in the order of the model.
public struct Timer<ID: Equatable & Sendable>: Driver {
  /// A requested deadline.
  public struct Deadline: Equatable, Sendable {
    /// The start of a deadline's span.
    public enum Time: Equatable, Sendable {
      /// At this moment; immediately, if it has passed.
      case at(Moment)
      /// The end of this span, which starts when the deadline first appears in the model. Another `restart` starts the
      /// span again. Negative spans count as zero.
      case after(Duration, restart: Int)
    }

    public var id: ID
    public var time: Time

    public init(_ id: ID, _ time: Time) {
      self.id = id
      self.time = time
    }

    /// Makes a deadline at this moment.
    public static func at(_ moment: Moment, _ id: ID) -> Deadline { Deadline(id, .at(moment)) }

    /// Makes a deadline at the end of a span, which starts at the frame whose model first contains it. Another
    /// `restart` starts the span again.
    public static func after(_ span: Duration, _ id: ID, restart: Int = 0) -> Deadline {
      Deadline(id, .after(span, restart: restart))
    }
  }

  public typealias Model = [Deadline]

  public enum Event: Sendable {
    /// The deadline is due; the event's moment is exactly the deadline's.
    case due(ID)
  }

  /// A deadline of the model, its moment, and whether that has been reached.
  private struct Armed {
    var deadline: Deadline
    var moment: Moment
    var hasCome = false
  }

  private var armed: [Armed] = []
  private var context: DriverContext<Event>!

  public init() {}

  /// Makes a timer with deadlines that are already running. If a deadline of the first model equals one of them, it is
  /// due at the given moment, or immediately if that has passed.
  ///
  /// - Parameter running: the deadlines with the moments at which they are due.
  public init(resuming running: [(deadline: Deadline, due: Moment)]) {
    armed = running.map { Armed(deadline: $0.deadline, moment: $0.due) }
  }

  public var safeModel: Model { [] }

  public mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
  }

  public mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    let now = context.now
    armed = model.map { deadline in
      if let kept = armed.first(where: { $0.deadline == deadline }) { return kept }
      switch deadline.time {
      case .at(let moment): return Armed(deadline: deadline, moment: moment)
      case .after(let span, _): return Armed(deadline: deadline, moment: now + max(span, .zero))
      }
    }
    setAlarm()
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    let now = context.now
    for index in armed.indices where !armed[index].hasCome && armed[index].moment <= now {
      armed[index].hasCome = true
      context.emit(.due(armed[index].deadline.id), at: armed[index].moment)
    }
    setAlarm()
  }

  public mutating func stop() {
    armed = []
  }

  private func setAlarm() {
    // A key path would be created at each call: a tenth of the cost of a panel with a running timer.
    var next: Moment?
    for armed in armed where !armed.hasCome && next.map({ armed.moment < $0 }) ?? true { next = armed.moment }
    context.setAlarm(next)
  }
}

/// Written as `[id,{"at":moment}]` or `[id,{"after":[span,restart]}]`.
extension Timer.Deadline: Recordable where ID: Recordable {
  public func write(to recording: inout JSONWriter) {
    recording.beginArray()
    id.write(to: &recording)
    recording.beginObject()
    switch time {
    case .at(let moment):
      recording.key(plain: "at")
      moment.write(to: &recording)
    case .after(let span, let restart):
      recording.key(plain: "after")
      recording.beginArray()
      span.write(to: &recording)
      recording.write(restart)
      recording.endArray()
    }
    recording.endObject()
    recording.endArray()
  }

  public init(from recording: inout JSONReader) throws(RecordingTextFault) {
    try recording.beginArray()
    guard try recording.hasElement() else { throw recording.fault("the deadline's name is missing") }
    let id = try ID(from: &recording)
    guard try recording.hasElement() else { throw recording.fault("the deadline's time is missing") }
    let place = recording.offset
    try recording.beginObject()
    switch try recording.nextKey() {
    case "at": self.init(id, .at(try Moment(from: &recording)))
    case "after":
      try recording.beginArray()
      guard try recording.hasElement() else { throw recording.fault("the span is missing") }
      let span = try Duration(from: &recording)
      guard try recording.hasElement() else { throw recording.fault("the restart is missing") }
      self.init(id, .after(span, restart: try recording.readInteger()))
      try recording.endArray()
    default: throw recording.fault("a deadline has a time \"at\" or \"after\"", at: place)
    }
    try recording.endObject()
    try recording.endArray()
  }
}

extension Timer.Event: Equatable {}

extension Timer.Event: Codable where ID: Codable {}

/// Written as the deadline's ID alone.
extension Timer.Event: Recordable where ID: Recordable {
  public func write(to recording: inout JSONWriter) { if case .due(let id) = self { id.write(to: &recording) } }
  public init(from recording: inout JSONReader) throws(RecordingTextFault) { self = .due(try ID(from: &recording)) }
}
