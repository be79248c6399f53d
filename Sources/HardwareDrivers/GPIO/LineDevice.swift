import CycleCore

/// What a device on lines does, without the lines: a state machine over edges, models and moments.
///
/// It is pure: it never asks for the time and touches no hardware, so all of a device's behaviour can be tested by calling it.
/// ``LineGroup`` holds the lines, feeds it edges and alarms, and writes its outputs.
public protocol LineDevice: Sendable {
  associatedtype Model: Equatable, Sendable
  associatedtype Event: Sendable

  /// Takes an event and the moment it happened at.
  typealias Emit = (Event, Moment) -> Void

  /// What is shown when the application ends.
  var safeModel: Model { get }

  /// The device's lines in the order that ``outputs`` and ``LineEdge/line`` count them; outputs at the values they shall
  /// have now.
  var lines: [LineConfiguration] { get }

  /// The lines are held, for the first time or again after they were lost. `isDebounced` says that the kernel debounces.
  mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit)

  /// An edge on one of the device's lines.
  mutating func receive(_ edge: LineEdge, emit: Emit)

  /// Edges are missing. The true values follow with ``correct(_:at:emit:)`` once they have been read.
  ///
  /// - Parameter count: how many; nil where the kernel can't tell.
  mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit)

  /// The values that the lines have, read after edges went missing.
  mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit)

  /// The lines are gone with their chip. What they would have told by now is unknown; ``begin(_:isDebounced:at:emit:)``
  /// follows when they are back.
  mutating func loseLines()

  /// Shows the model from `moment` on.
  mutating func render(_ model: Model, at moment: Moment)

  /// When the device next wants ``ring(at:emit:)``; nil for never.
  var alarm: Moment? { get }

  /// The alarm has come.
  mutating func ring(at moment: Moment, emit: Emit)

  /// The values that its output lines shall have now.
  var outputs: LineValues { get }

  static func event(for trouble: Trouble) -> Event?
}

extension LineDevice {
  public mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {}
  public mutating func receive(_ edge: LineEdge, emit: Emit) {}
  public mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit) {}
  public mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit) {}
  public mutating func loseLines() {}
  public mutating func render(_ model: Model, at moment: Moment) {}
  public var alarm: Moment? { nil }
  public mutating func ring(at moment: Moment, emit: Emit) {}
  public var outputs: LineValues { [] }
}

extension LineDevice where Model == NoModel {
  public var safeModel: NoModel { NoModel() }
}

/// A driver of one device on lines: ``Button``, ``LED`` and their like. What is alike in them is here.
public protocol LineDriver: Driver where Model == Device.Model, Event == Device.Event {
  associatedtype Device: LineDevice
  var chip: any GPIOChip { get }
  var device: Device { get }
  /// The lines at work; nil before the driver has started.
  var group: LineGroup<Device, Event>? { get set }

  /// Puts many of these to work on one request, for ``Each``. Leave it as it is: it stands here so that what runs at every edge is
  /// compiled for this device, and not for any.
  static func start(
    _ devices: [Device], on chip: any GPIOChip, showing models: [Model], in context: DriverContext<Each<Self>.Event>
  ) throws(DriverError) -> EachAtWork<Model>
}

/// What ``Each`` does with its devices while they hold their lines.
public struct EachAtWork<Model> {
  let render: (_ models: [Model], _ previous: [Model]?) throws(DriverError) -> Void
  let wake: (Wake) -> Void
  let stop: () -> Void
}

extension LineDriver {
  public var safeModel: Model { device.safeModel }

  public static func event(for trouble: Trouble) -> Event? { Device.event(for: trouble) }

  public mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    let group = LineGroup(
      [device], on: chip, context: context, event: { _, event in event }, trouble: { Device.event(for: $0) })
    try group.start(showing: [model])
    self.group = group
  }

  public mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    group?.render(model, at: 0)
    try group?.writeRendered()
  }

  public mutating func wake(_ wake: Wake) {
    group?.wake(wake)
  }

  public mutating func stop() {
    group?.stop()
    group = nil
  }

  public static func start(
    _ devices: [Device], on chip: any GPIOChip, showing models: [Model], in context: DriverContext<Each<Self>.Event>
  ) throws(DriverError) -> EachAtWork<Model> {
    let group = LineGroup(
      devices, on: chip, context: context, event: { Each<Self>.Event.device($0, $1) }, trouble: { .trouble($0) })
    try group.start(showing: models)
    return EachAtWork(
      render: { (models, previous) throws(DriverError) in
        precondition(models.count == devices.count, "a model for each device")
        for index in models.indices where previous == nil || previous![index] != models[index] {
          group.render(models[index], at: index)
        }
        try group.writeRendered()
      }, wake: { group.wake($0) }, stop: { group.stop() })
  }
}
