import CycleCore

/// A device on lines of a chip: its lines, settings, model and events, and how it reacts to edges and models.
///
/// It is a state machine that touches no hardware and never reads a clock, so a test can drive it by calling it.
/// ``LineDriver`` and ``LineDriverArray`` request, read, write, lose and restore the lines for all devices.
///
///     struct Doorlatch: LineDevice {
///       let chip: any GPIOChip
///       let line: LineName
///       private var isOpen = false
///
///       var lines: [LineConfiguration] { [LineConfiguration(line, .output(outputs[0], .pushPull))] }
///       var safeModel: Bool { false }
///       mutating func render(_ isOpen: Bool, at moment: Moment) { self.isOpen = isOpen }
///       var outputs: LineValues { isOpen ? .first(1) : [] }
///     }
///
/// **More than outputs.** A device that does more conforms to a protocol for it, whose methods are all required:
///
/// | protocol | the device |
/// |---|---|
/// | ``EdgeReceiver`` | receives the edges of its inputs |
/// | ``FoundDevice`` | has a state that is found at the start |
/// | ``AlarmReceiver`` | acts at moments: patterns, debouncing, time limits |
/// | ``StepTaker`` | writes sequences: a pulse, a clocked protocol |
/// | ``StepReader`` | also reads its lines between these steps |
/// | ``LossReceiver`` | must know when it loses its lines; part of ``EdgeReceiver`` and ``StepTaker`` |
///
/// **Order.** `render` is called first, before the lines are requested, then `begin` of an ``EdgeReceiver``. After a
/// loss `loseLines` is called, then `render` and `begin` again. A device keeps its state in between.
public protocol LineDevice {
  /// The desired state of the device. ``CycleCore/NoModel`` for a device without a model.
  associatedtype Model: Equatable, Sendable = NoModel
  /// An event of the device: a type in it with this name. `Never` for a device without events.
  associatedtype Event: Sendable = Never

  /// Emits an event that happened at the moment.
  typealias Emit = (Event, Moment) -> Void

  /// The chip that the lines are on.
  var chip: any GPIOChip { get }

  /// The device's lines, 1 to 64. Bit n of ``outputs`` and ``LineEdge/line`` n are the line at index n. Output lines
  /// are configured with the values that they should have now.
  var lines: [LineConfiguration] { get }

  /// The model that is rendered when the application ends. A device without a model has it.
  var safeModel: Model { get }

  /// Applies a model that is valid from `moment` on. Does nothing for a device without a model.
  mutating func render(_ model: Model, at moment: Moment)

  /// The values that the device's output lines should have: now, or once the steps that it has requested are done.
  /// Inactive for a device without a model.
  var outputs: LineValues { get }

  /// Whether the devices are read before the first frame is made; by default, those without a model are.
  static var isInput: Bool { get }

  /// Whether the hardware has reached the state of the last model; true by default. While steps are pending the driver
  /// is not at rest, independent of this value.
  var isAtRest: Bool { get }

  /// The current fault of the hardware on the lines, such as a sensor without a response; nil if there is none, the
  /// default. It is reported to the application once as ``CycleCore/Trouble/failed(_:)``, and as restored when it is
  /// nil again. The device must retry, and must clear its fault when it loses its lines.
  var fault: DriverError? { get }

  /// The reason why the device can't have emitted an event from outside, as ``CycleCore/Driver/refusal(of:)`` of a
  /// driver; nil if it can. ``LineDriverArray`` checks the number of the device. By default no event is refused.
  func refusal(of event: Event) -> String?

  // MARK: Specialization

  /// Creates the work of one device on a separate request. Don't implement it. It is a requirement only so that the
  /// code that runs at every edge and write is specialized for this device type instead of compiled generically
  /// (`docs/internals/decisions`, 0007). Specialization needs a concrete event type, hence this requirement and the
  /// next one.
  static func makeWork(_ device: Self, in context: DriverContext<Event>) -> LineDriverWitness<Model>

  /// Creates the work of several devices on one request, for ``LineDriverArray``. Don't implement it either.
  static func makeWork(
    _ devices: [Self], numbers: [Int], in context: DriverContext<LineDriverArray<Self>.Event>
  ) -> LineDriverWitness<Model>

  // The calls of a group, which it makes to every device. Don't implement them: the protocols below do.
  static var _receivesEdges: Bool { get }
  static var _takesSteps: Bool { get }
  var _isKnown: Bool { get }
  var _alarm: Moment? { get }
  mutating func _endStart()
  mutating func _begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit)
  mutating func _receive(_ edge: LineEdge, emit: Emit)
  mutating func _loseEdges(_ count: Int?, at moment: Moment, emit: Emit)
  mutating func _correct(_ values: LineValues, at moment: Moment, emit: Emit)
  mutating func _loseLines()
  mutating func _ring(at moment: Moment, emit: Emit)
  mutating func _addSteps(to steps: inout LineSteps)
  mutating func _read(_ values: LineValues, at clock: Moment, emit: Emit)
  mutating func _finishSteps(at clock: Moment, emit: Emit)
  mutating func _abandonSteps()
}

/// A device that must know when it loses its lines.
public protocol LossReceiver: LineDevice {
  /// Called when the lines were released or were lost with their chip. Their edges and levels are unknown until they
  /// are held again.
  mutating func loseLines()
}

/// A device that receives the edges of its inputs: contacts, pulses, echoes.
///
/// An input reports no edges to a device that doesn't conform to it: its ``LineConfiguration/edges`` must be none.
public protocol EdgeReceiver: LossReceiver {
  /// Called when the lines have been requested, the first time or again after a loss. `isDebounced` is true if the
  /// kernel debounces them.
  mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit)

  /// Called with an edge of one of the device's lines. Must emit at most four events: the lane has room for four for
  /// each edge that is read.
  mutating func receive(_ edge: LineEdge, emit: Emit)

  /// Called when edges are missing. The lines are read, and ``correct(_:at:emit:)`` follows with their values.
  ///
  /// - Parameters:
  ///   - count: the number of missing edges; nil if the kernel doesn't report it. For a counter on a kernel interface
  ///     that doesn't number edges, nil also means that its queue was full, and that edges may be missing.
  ///   - moment: the moment of the reading.
  ///   - emit: emits an event at its moment.
  mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit)

  /// Called with the values of the lines, read after edges went missing.
  mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit)
}

/// A device whose state is found at the start, and is no event then: contacts.
///
/// A line that was just requested may still be rising, and a contact may bounce: the state is not known until the
/// contacts have been stable. Events that the device emits before describe the state in which it was found, and are not
/// events for the application (`Lens.onFound`). The first frame waits for it.
public protocol FoundDevice: LineDevice {
  /// Whether the state of the device is known. It never becomes false again.
  var isKnown: Bool { get }

  /// Called when the first frame is made, or when the device becomes known later. A press that began before can't
  /// become a click or a hold: its beginning is unknown.
  mutating func endStart()
}

/// A device that acts at moments which depend on no write: patterns, debouncing, time limits.
public protocol AlarmReceiver: LineDevice {
  /// The moment at which ``ring(at:emit:)`` should be called next; nil for never. Even if the call is late, its moment
  /// is this one.
  var alarm: Moment? { get }

  /// Called when ``alarm`` is due.
  mutating func ring(at moment: Moment, emit: Emit)
}

/// A device that needs more than one value on its lines: it adds steps, which are done one after the other.
public protocol StepTaker: LossReceiver {
  /// Appends the steps that bring the lines to ``LineDevice/outputs``; nothing if a single write of them is enough.
  /// Called after every render and every wake, and again after ``finishSteps(at:emit:)``, but never while steps of this
  /// device are pending.
  mutating func addSteps(to steps: inout LineSteps)

  /// Called when all steps are done and the pause after the last one is over.
  ///
  /// - Parameter clock: the loop's clock; a device that must wait before its next action counts the wait from here.
  /// - Parameter emit: emits an event at its moment.
  mutating func finishSteps(at clock: Moment, emit: Emit)

  /// Called when a step failed: it is unknown which steps reached the hardware. ``addSteps(to:)`` is called again at
  /// the next try.
  mutating func abandonSteps()
}

/// A device that reads its lines between its steps: a scan, an acknowledge.
public protocol StepReader: StepTaker {
  /// Called with the values of the device's lines that a ``LineSteps/read(after:)`` step has read.
  ///
  /// - Parameter clock: the loop's clock after the reading.
  /// - Parameter emit: emits an event at its moment.
  /// - Parameter values: the values of the device's lines.
  mutating func receive(_ values: LineValues, at clock: Moment, emit: Emit)
}

extension LineDevice where Model == NoModel {
  public var safeModel: NoModel { NoModel() }
  public mutating func render(_ model: NoModel, at moment: Moment) {}
  public var outputs: LineValues { [] }
}

extension LineDevice {
  public static var isInput: Bool { Model.self == NoModel.self }
  public var isAtRest: Bool { true }
  public var fault: DriverError? { nil }
  public func refusal(of event: Event) -> String? { nil }

  public static func makeWork(_ device: Self, in context: DriverContext<Event>) -> LineDriverWitness<Model> {
    LineDriverWitness(LineDeviceRunner([device], in: context, event: { $1 }))
  }

  public static func makeWork(
    _ devices: [Self], numbers: [Int], in context: DriverContext<LineDriverArray<Self>.Event>
  ) -> LineDriverWitness<Model> {
    LineDriverWitness(LineDeviceRunner(devices, in: context, event: { .init(numbers[$0], $1) }))
  }
}

// The calls of a group: nothing for a device that doesn't conform to the protocol of the call.

extension LineDevice {
  public static var _receivesEdges: Bool { false }
  public static var _takesSteps: Bool { false }
  public var _isKnown: Bool { true }
  public var _alarm: Moment? { nil }
  public mutating func _endStart() {}
  public mutating func _begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {}
  public mutating func _receive(_ edge: LineEdge, emit: Emit) {}
  public mutating func _loseEdges(_ count: Int?, at moment: Moment, emit: Emit) {}
  public mutating func _correct(_ values: LineValues, at moment: Moment, emit: Emit) {}
  public mutating func _loseLines() {}
  public mutating func _ring(at moment: Moment, emit: Emit) {}
  public mutating func _addSteps(to steps: inout LineSteps) {}
  public mutating func _read(_ values: LineValues, at clock: Moment, emit: Emit) {}
  public mutating func _finishSteps(at clock: Moment, emit: Emit) {}
  public mutating func _abandonSteps() {}
}

extension LossReceiver {
  public mutating func _loseLines() { loseLines() }
}

extension EdgeReceiver {
  public static var _receivesEdges: Bool { true }

  public mutating func _begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {
    begin(values, isDebounced: isDebounced, at: moment, emit: emit)
  }

  @inline(__always)
  public mutating func _receive(_ edge: LineEdge, emit: Emit) { receive(edge, emit: emit) }

  public mutating func _loseEdges(_ count: Int?, at moment: Moment, emit: Emit) {
    loseEdges(count, at: moment, emit: emit)
  }

  public mutating func _correct(_ values: LineValues, at moment: Moment, emit: Emit) {
    correct(values, at: moment, emit: emit)
  }
}

extension FoundDevice {
  @inline(__always) public var _isKnown: Bool { isKnown }
  public mutating func _endStart() { endStart() }
}

extension AlarmReceiver {
  @inline(__always) public var _alarm: Moment? { alarm }
  @inline(__always) public mutating func _ring(at moment: Moment, emit: Emit) { ring(at: moment, emit: emit) }
}

extension StepTaker {
  public static var _takesSteps: Bool { true }
  @inline(__always) public mutating func _addSteps(to steps: inout LineSteps) { addSteps(to: &steps) }

  @inline(__always)
  public mutating func _finishSteps(at clock: Moment, emit: Emit) { finishSteps(at: clock, emit: emit) }

  public mutating func _abandonSteps() { abandonSteps() }
}

extension StepReader {
  @inline(__always)
  public mutating func _read(_ values: LineValues, at clock: Moment, emit: Emit) {
    receive(values, at: clock, emit: emit)
  }
}
