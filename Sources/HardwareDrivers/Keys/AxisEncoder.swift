import CycleCore

/// A knob or a wheel that is a relative axis of an input device: a rotary encoder that a driver of the kernel decodes, the
/// wheel of a mouse.
///
/// **Wiring.** For a rotary encoder at lines of a Raspberry Pi: `dtoverlay=rotary-encoder,pin_a=17,pin_b=27,relative_axis=1`
/// in `config.txt`.
///
/// **Timing.** Moments are the kernel's time stamps. The driver sleeps until the kernel has events: 0 wake-ups a second.
///
/// **Losses.** Steps that the kernel has dropped, and more than 64 steps of one event, are reported as trouble.
///
/// **Source.** The kernel's `Documentation/input/devices/rotary-encoder` and `event-codes`.
///
///     Lens(AxisEncoder(platform.hardware(at: KeysPort(.named("rotary@11"))), axis: .x), on: { frame, event in
///       if event == .clockwise { frame.volume += 1 }
///     })
public struct AxisEncoder: Driver {
  /// A relative axis, by the kernel's code.
  public enum Axis: UInt16, Sendable, CaseIterable {
    case x = 0
    case y = 1
    case z = 2
    case hwheel = 6
    case dial = 7
    case wheel = 8
    case misc = 9
  }

  public enum Event: Equatable, Sendable, Codable {
    /// One step in the positive direction of the axis.
    case clockwise
    case counterclockwise
  }

  /// The maximum number of steps of one event of the kernel.
  public static var mostSteps: Int { 64 }

  private let axis: Axis
  private let stream: KeyStream
  private var context: DriverContext<Event>?
  /// Steps that have no room in the lane yet, in their direction.
  private var waiting = 0
  private var moment = Moment.zero

  /// Doesn't open the device.
  ///
  /// - Parameters:
  ///   - device: the input device.
  ///   - axis: the axis of the knob.
  ///   - isGrabbed: whether no other program gets the events of the device.
  public init(_ device: any KeyDevice, axis: Axis = .x, isGrabbed: Bool = true) {
    self.axis = axis
    stream = KeyStream(device, isGrabbed: isGrabbed)
  }

  public mutating func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    _ = try stream.open(context.watcher)
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    guard let context else { return }
    emitSteps(context)
    let isAllRead = try stream.read(
      hasRoom: { waiting == 0 }, now: context.now, take: { apply($0, at: $1, context) })
    if !isAllRead || waiting != 0 { context.watcher.makeWaker().wake() }
  }

  private mutating func apply(_ change: KeyStream.Change, at moment: Moment, _ context: DriverContext<Event>) {
    switch change {
    case .axis(let code, let steps) where code == axis.rawValue:
      let count = min(Int(steps.magnitude), Self.mostSteps)
      if count < Int(steps.magnitude) {
        let fault = KeyErrorFactory(name: stream.device.name)
        context.report(once: fault.droppedSteps("\(steps.magnitude) steps at one moment are too many"))
      }
      self.moment = moment
      waiting = steps < 0 ? -count : count
      emitSteps(context)
    case .axis, .key: break
    case .dropped:
      context.report(once: KeyErrorFactory(name: stream.device.name).droppedSteps("the kernel's queue was full"))
    }
  }

  /// Emits the steps for which the lane has room.
  private mutating func emitSteps(_ context: DriverContext<Event>) {
    while waiting != 0, context.room > 0 {
      context.emit(waiting > 0 ? .clockwise : .counterclockwise, at: moment)
      waiting -= waiting.signum()
    }
  }

  public mutating func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    try stream.device.watchForReturn(watcher)
  }

  public mutating func stop() {
    stream.close()
    waiting = 0
    context = nil
  }
}
