import CycleCore

/// A device on lines of a chip: its lines, settings, model and events, and how it reacts to edges and models.
///
/// It is a state machine that touches no hardware and never reads a clock, so a test can drive it by calling it.
/// ``LineDriver`` and ``Each`` request, read, write, lose and restore the lines for all devices.
///
///     struct Doorlatch: LineDevice {
///       let chip: any GPIOChip
///       let line: LineName
///       private var isOpen = false
///
///       var lines: [LineConfiguration] { [LineConfiguration(line, .output(outputs[0]))] }
///       var safeModel: Bool { false }
///       mutating func render(_ isOpen: Bool, at moment: Moment) { self.isOpen = isOpen }
///       var outputs: LineValues { isOpen ? .first(1) : [] }
///     }
///
/// **Order.** `render` is called first, before the lines are requested, then `begin`. After a loss `loseLines` is
/// called, then `render` and `begin` again. A device keeps its state in between.
///
/// **The first reading.** A line that was just requested may still be rising, and a contact may bounce: a device with
/// contacts is not ``isKnown`` until they have been stable. Events that it emits before describe the state in which it
/// was found, and are not events for the application (`Lens.onFound`). The first frame waits for it.
public protocol LineDevice {
  /// The desired state of the device. ``CycleCore/NoModel`` for a device without a model.
  associatedtype Model: Equatable, Sendable = NoModel
  /// An event of the device. `Never` for a device without events.
  associatedtype Event: Sendable = Never

  /// Emits an event that happened at the moment.
  typealias Emit = (Event, Moment) -> Void

  /// The chip that the lines are on.
  var chip: any GPIOChip { get }

  /// The model that is rendered when the application ends.
  var safeModel: Model { get }

  /// The device's lines, 1 to 64. Bit n of ``outputs`` and ``LineEdge/line`` n are the line at index n. Output lines
  /// are configured with the values that they should have now.
  var lines: [LineConfiguration] { get }

  // MARK: Inputs

  /// Whether the devices are read before the first frame is made; by default, those without a model are.
  static var isInput: Bool { get }

  /// Whether the state of the device is known; true for a device without a state. It never becomes false again.
  var isKnown: Bool { get }

  /// Called when the first frame is made, or when the device becomes known later. A press that began before can't
  /// become a click or a hold: its beginning is unknown.
  mutating func endStart()

  /// Called when the lines have been requested, the first time or again after a loss. `isDebounced` is true if the
  /// kernel debounces them.
  mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit)

  /// Called with an edge of one of the device's lines. Must emit at most four events: the lane has room for four for
  /// each edge that is read.
  mutating func receive(_ edge: LineEdge, emit: Emit)

  /// Called when edges are missing. The lines are read, and ``correct(_:at:emit:)`` follows with their values.
  ///
  /// - Parameter count: the number of missing edges; nil if the kernel doesn't report it.
  /// - Parameter moment: the moment of the reading.
  /// - Parameter emit: emits an event at its moment.
  mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit)

  /// Called with the values of the lines, read after edges went missing.
  mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit)

  /// Called when the lines were released or were lost with their chip. Their edges are unknown until
  /// ``begin(_:isDebounced:at:emit:)`` is called with the lines held again.
  mutating func loseLines()

  // MARK: Outputs

  /// Applies a model that is valid from `moment` on.
  mutating func render(_ model: Model, at moment: Moment)

  /// The values that the device's output lines should have: now, or once the steps that it has requested are done.
  var outputs: LineValues { get }

  // MARK: Time

  /// The moment at which ``ring(at:emit:)`` should be called next; nil for never. Even if the call is late, its moment
  /// is this one.
  var alarm: Moment? { get }

  /// Called when ``alarm`` is due.
  mutating func ring(at moment: Moment, emit: Emit)

  // MARK: Steps

  /// Whether devices of this type ever append steps. A group of devices that don't, and that have no outputs, writes
  /// nothing after an edge. True by default.
  static var addsSteps: Bool { get }

  /// Appends the steps that bring the lines to ``outputs``; nothing if a single write of ``outputs`` is enough. Called
  /// after every render and every wake, and again after ``finishSteps(at:emit:)``, but never while steps of this device
  /// are pending.
  mutating func addSteps(to steps: inout LineSteps)

  /// Called with the values of the device's lines that a ``LineSteps/read(after:)`` step has read.
  ///
  /// - Parameter clock: the loop's clock after the reading.
  /// - Parameter emit: emits an event at its moment.
  /// - Parameter values: the values of the device's lines.
  mutating func receive(_ values: LineValues, at clock: Moment, emit: Emit)

  /// Called when all steps are done and the pause after the last one is over.
  ///
  /// - Parameter clock: the loop's clock; a device that must wait before its next action counts the wait from here.
  /// - Parameter emit: emits an event at its moment.
  mutating func finishSteps(at clock: Moment, emit: Emit)

  /// Called when a step failed: it is unknown which steps reached the hardware. ``addSteps(to:)`` is called again at
  /// the next try.
  mutating func abandonSteps()

  /// Whether the hardware has reached the state of the last model. While steps are pending the driver is not at rest,
  /// independent of this value.
  var isAtRest: Bool { get }

  // MARK: Trouble

  /// The current fault of the hardware on the lines, such as a sensor without a response; nil if there is none. It is
  /// reported to the application once as ``CycleCore/Trouble/failed(_:)``, and as restored when it is nil again. The
  /// device must retry, and must clear its fault when it loses its lines.
  var fault: DriverError? { get }

  // MARK: Events from outside

  /// The reason why the device can't have emitted an event from outside, as ``CycleCore/Driver/refusal(of:)`` of a
  /// driver; nil if it can. ``Each`` checks the number of the device. By default no event is refused.
  func refusal(of event: Event) -> String?

  // MARK: Specialization

  /// Creates the work of one device on a separate request. Don't implement it. It is a requirement only so that the
  /// code that runs at every edge and write is specialized for this device type instead of compiled generically
  /// (`docs/internals/decisions`, 0007). Specialization needs a concrete event type, hence this requirement and the
  /// next one.
  static func makeWork(_ device: Self, in context: DriverContext<Event>) -> LineWork<Model>

  /// Creates the work of several devices on one request, for ``Each``. Don't implement it either.
  static func makeWork(
    _ devices: [Self], numbers: [Int], in context: DriverContext<Each<Self>.Event>
  ) -> LineWork<Model>
}

extension LineDevice {
  public static var isInput: Bool { Model.self == NoModel.self }
  public var isKnown: Bool { true }
  public mutating func endStart() {}
  public mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {}
  public mutating func receive(_ edge: LineEdge, emit: Emit) {}
  public mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit) {}
  public mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit) {}
  public mutating func loseLines() {}
  public mutating func render(_ model: Model, at moment: Moment) {}
  public var outputs: LineValues { [] }
  public var alarm: Moment? { nil }
  public mutating func ring(at moment: Moment, emit: Emit) {}
  public static var addsSteps: Bool { true }
  public mutating func addSteps(to steps: inout LineSteps) {}
  public mutating func receive(_ values: LineValues, at clock: Moment, emit: Emit) {}
  public mutating func finishSteps(at clock: Moment, emit: Emit) {}
  public mutating func abandonSteps() {}
  public var isAtRest: Bool { true }
  public var fault: DriverError? { nil }
  public func refusal(of event: Event) -> String? { nil }

  public static func makeWork(_ device: Self, in context: DriverContext<Event>) -> LineWork<Model> {
    LineWork(LineGroup([device], in: context, event: { $1 }))
  }

  public static func makeWork(
    _ devices: [Self], numbers: [Int], in context: DriverContext<Each<Self>.Event>
  ) -> LineWork<Model> {
    LineWork(LineGroup(devices, in: context, event: { .init(numbers[$0], $1) }))
  }
}

extension LineDevice where Model == NoModel {
  public var safeModel: NoModel { NoModel() }
}
