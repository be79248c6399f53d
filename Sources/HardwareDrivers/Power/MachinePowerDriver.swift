import CycleCore

/// Turns the machine off, or restarts it, when its model asks for it.
///
/// **Wiring.** None. A service with the right to do it takes the request: `panel-power@NAME.path` of the package, which an
/// administrator has to enable.
///
/// **Timing.** The request is made in the render. The application continues until the system stops it, which sets its
/// outputs to their safe state and saves what it keeps. A request that is not taken within 5 s is taken back and
/// reported as trouble, so that it has no effect later. The driver does not repeat it: the application asks again.
///
/// **Source.** `systemd.path(5)`: a unit that starts a service when a file exists.
///
///     Lens(MachinePowerDriver(platform.hardware(at: MachinePowerPort())), show: { $0.power }, on: { _, _ in })
public struct MachinePowerDriver: Driver {
  /// The requests of an application.
  public struct Model: Equatable, Sendable, Codable {
    /// The number of requests since the start. Each increase is a request.
    public var count: Int
    /// The last request; nil for none.
    public var change: PowerChange?

    public init(count: Int = 0, change: PowerChange? = nil) { (self.count, self.change) = (count, change) }

    /// Adds a request.
    public mutating func ask(for change: PowerChange) {
      count += 1
      self.change = change
    }
  }

  public typealias Event = Never

  /// The time within which a request is taken. A machine that is busy starts a service in less than that.
  public static let patience = Duration.seconds(5)

  private let power: any MachinePower
  private var context: DriverContext<Never>?
  private var reporter = TroubleReporter()
  /// The number of requests that were made.
  private var count = 0
  /// The request that may not be taken yet, and the moment at which it is taken back.
  private var waiting: (change: PowerChange, end: Moment)?

  /// Asks for nothing.
  ///
  /// - Parameter power: the power of the machine.
  public init(_ power: any MachinePower) { self.power = power }

  /// The model at the end asks for nothing.
  public var safeModel: Model { Model() }

  public mutating func start(showing model: Model, in context: DriverContext<Never>) throws(DriverError) {
    self.context = context
    // A program that was killed may have left one.
    _ = power.withdraw()
    ask(model)
  }

  public mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) { ask(model) }

  private mutating func ask(_ model: Model) {
    guard model.count > count, let change = model.change, let context else { return }
    count = model.count
    do throws(DriverError) {
      try power.ask(for: change)
      waiting = (change, context.now + Self.patience)
    } catch {
      waiting = nil
      // An error that is thrown would repeat the request at any later time.
      reporter.note(.failed(error)) { context.report($0) }
    }
    context.setAlarm(waiting?.end)
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    guard let context, let (change, end) = waiting, context.now >= end else { return }
    waiting = nil
    let trouble = power.withdraw() ? Trouble.failed(MachinePowerErrorFactory().notTaken(change)) : nil
    reporter.note(trouble) { context.report($0) }
  }

  public mutating func stop() {
    // The service takes a request before the system stops this program, so this one was not taken.
    if waiting != nil { _ = power.withdraw() }
    waiting = nil
    context?.setAlarm(nil)
    context = nil
  }
}
