import CycleCore

/// Signals as a driver: the model is pushed into an input, and each value of the resulting signal is emitted as an
/// event. Their clock is the cycle's time.
///
/// It delays, throttles and combines values. An event filter would have to count frames for this:
///
///     Lens(
///       SignalDriver { volume, clock in volume.throttle(.milliseconds(200), on: clock) }, show: { $0.volume },
///       on: { frame, event in if case .value(let volume) = event { frame.volumeToSend = volume } })
///
/// A model is pushed if it differs from the one before. The first model is the initial value of the input. Signals are
/// part of the application's state: their closures must be as pure as its filters.
public final class SignalDriver<Input: Equatable & Sendable, Output: Sendable>: Driver {
  /// The value to push. Nil pushes nothing; it is the model at the end.
  public typealias Model = Input?

  public enum Event: Sendable {
    case value(Output)
  }

  private let build: (Signal<Input>, SignalClock) -> Signal<Output>
  private let clock = SignalClock()
  private var input: Signals.Input<Input>?
  private var output: SignalObserver?
  private var context: DriverContext<Event>?

  /// - Parameter build: makes the signal of the events from that of the models. Called once, at the start.
  public init(_ build: @escaping (Signal<Input>, SignalClock) -> Signal<Output>) {
    self.build = build
  }

  public var safeModel: Model { nil }

  public func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    clock.advance(to: context.now)
    let input = model.map { Signals.Input($0) } ?? Signals.Input()
    self.input = input
    output = (build(input, clock) --> { context.emit(.value($0)) })
  }

  public func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    guard let context, let input else { return }
    clock.advance(to: context.now)
    if let model, previous != nil { input <-- model }
    context.setAlarm(clock.nextAlarm)
  }

  public func wake(_ wake: Wake) throws(DriverError) {
    guard let context else { return }
    clock.advance(to: context.now)
    context.setAlarm(clock.nextAlarm)
  }

  public func stop() {
    output = nil
    input = nil
  }
}

extension SignalDriver.Event: Equatable where Output: Equatable {}
