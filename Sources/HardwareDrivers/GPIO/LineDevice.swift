import CycleCore

/// A device on lines of a chip: its lines, its settings, its model and events, and what it does with edges and models.
///
/// It is a state machine and touches no hardware: it never asks for the time, and all that it does can be tested by calling it. What takes
/// the lines, reads, writes, loses and restores them is written once, for all devices (``LineDriver``, ``Each``).
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
/// **Order.** `render` comes first, before the lines are requested, then `begin`. After a loss `loseLines` comes, then `render` and `begin`
/// again. A device keeps what it knows meanwhile.
public protocol LineDevice {
  /// What the device should be doing now: a desired state. ``CycleCore/NoModel`` for a device that only listens.
  associatedtype Model: Equatable, Sendable = NoModel
  /// What the device has just experienced. `Never` for a device that only shows.
  associatedtype Event: Sendable = Never

  /// Emits an event that happened at the moment.
  typealias Emit = (Event, Moment) -> Void

  /// The chip that the lines are on.
  var chip: any GPIOChip { get }

  /// What is shown when the application ends.
  var safeModel: Model { get }

  /// The device's lines, 1 to 64, in the order that ``outputs`` and ``LineEdge/line`` count them; outputs at the values that they shall
  /// have now.
  var lines: [LineConfiguration] { get }

  // MARK: What it hears

  /// The lines are held, for the first time or again after they were lost. `isDebounced` says that the kernel debounces.
  mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit)

  /// An edge on one of the device's lines. At most four events may be emitted at one edge.
  mutating func receive(_ edge: LineEdge, emit: Emit)

  /// Edges are missing. The true values follow with ``correct(_:at:emit:)`` once they have been read.
  ///
  /// - Parameter count: how many; nil where the kernel can't tell.
  mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit)

  /// The values that the lines have, read after edges went missing.
  mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit)

  /// The lines are released or gone with their chip. What they would have told by now is unknown; ``begin(_:isDebounced:at:emit:)``
  /// follows when they are back.
  mutating func loseLines()

  // MARK: What it shows

  /// Shows the model from `moment` on.
  mutating func render(_ model: Model, at moment: Moment)

  /// The values that the device's output lines shall have now, or after the steps that it asks for.
  var outputs: LineValues { get }

  // MARK: Time

  /// When the device next wants ``ring(at:emit:)``; nil for never. However late it comes, it comes with this moment.
  var alarm: Moment? { get }

  /// The alarm has come.
  mutating func ring(at moment: Moment, emit: Emit)

  // MARK: Sequences

  /// Appends what has to be done on the lines, one step after the other, until they have their ``outputs``; nothing where those can be
  /// written at once. Asked for after everything that the device hears, and again when all steps are done; not while any of them are
  /// not.
  mutating func addSteps(to steps: inout LineSteps)

  /// A ``LineSteps/read(after:)`` step has read the values of the device's lines.
  ///
  /// - Parameter clock: the loop's clock after the reading.
  mutating func receive(_ values: LineValues, at clock: Moment, emit: Emit)

  /// All steps are done, the last one's pause included.
  ///
  /// - Parameter clock: the loop's clock: from here a device counts a time that must pass before it does the next thing.
  mutating func finishSteps(at clock: Moment, emit: Emit)

  /// A step failed: the hardware has had an unknown part of them. Steps are asked for again when the next try is due.
  mutating func abandonSteps()

  /// Whether the hardware has come to where the last model wants it. Steps that are not done are waited for in any case.
  var isAtRest: Bool { get }

  // MARK: Trouble

  /// What is wrong with the hardware behind the lines now: a sensor that doesn't answer. The application hears of it once as
  /// ``CycleCore/Trouble/failed(_:)``, and as restored when this is nil again. A device goes on trying by itself, and forgets its fault
  /// when it loses its lines.
  var fault: DriverError? { get }

  // MARK: Compiling

  /// Has one of these devices do its work on a request of its own. Leave it as it is: it stands here so that what runs at every edge and
  /// every write is compiled for this device, and not for any (`docs/decisions`, 0007). That takes an event of one known type, so there
  /// are two of these.
  static func makeWork(_ device: Self, in context: DriverContext<Event>) -> LineWork<Model>

  /// The same for many of them on one request, as ``Each`` has it.
  static func makeWork(
    _ devices: [Self], numbers: [Int], in context: DriverContext<Each<Self>.Event>
  ) -> LineWork<Model>
}

extension LineDevice {
  public mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {}
  public mutating func receive(_ edge: LineEdge, emit: Emit) {}
  public mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit) {}
  public mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit) {}
  public mutating func loseLines() {}
  public mutating func render(_ model: Model, at moment: Moment) {}
  public var outputs: LineValues { [] }
  public var alarm: Moment? { nil }
  public mutating func ring(at moment: Moment, emit: Emit) {}
  public mutating func addSteps(to steps: inout LineSteps) {}
  public mutating func receive(_ values: LineValues, at clock: Moment, emit: Emit) {}
  public mutating func finishSteps(at clock: Moment, emit: Emit) {}
  public mutating func abandonSteps() {}
  public var isAtRest: Bool { true }
  public var fault: DriverError? { nil }

  public static func makeWork(_ device: Self, in context: DriverContext<Event>) -> LineWork<Model> {
    LineWork(LineGroup([device], in: context, event: { $1 }))
  }

  public static func makeWork(
    _ devices: [Self], numbers: [Int], in context: DriverContext<Each<Self>.Event>
  ) -> LineWork<Model> {
    LineWork(LineGroup(devices, in: context, event: { .device(numbers[$0], $1) }))
  }
}

extension LineDevice where Model == NoModel {
  public var safeModel: NoModel { NoModel() }
}
