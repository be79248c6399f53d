/// An output whose calls are slow, such as a display on a bus: a worker shows its newest model.
///
/// Store the worker, and state the safe model; everything else that a driver needs is written here.
///
///     public struct Dimmer: OutputWorkerDriver {
///       public var worker: OutputWorker<UInt8>
///       public var safeModel: UInt8 { 0 }
///
///       public init(_ bus: any I2CBus, address: I2CAddress) {
///         worker = OutputWorker(for: "the dimmer", onThread: bus.needsThread, watch: bus.watchForReturn) {
///           DimmerWork(dimmer: I2CDevice(bus, at: address))
///         }
///       }
///     }
///
/// Each loss of the hardware and each return is reported once. The driver is at rest when the hardware shows the newest
/// model, or while the hardware can't be reached.
///
/// A model that is a function of time, such as a fade, begins at the moment at which it is rendered. Its driver has a
/// worker of ``Begun`` models:
///
///     public var worker: OutputWorker<Begun<PixelLight>>
///     public func workModel(of model: PixelLight, at moment: Moment) -> Begun<PixelLight> { Begun(model, at: moment) }
public protocol OutputWorkerDriver: Driver where Event == Never {
  /// The model that the work shows.
  associatedtype WorkModel: Equatable & Sendable = Model

  /// The worker. Only the driver's own functions use it.
  var worker: OutputWorker<WorkModel> { get set }

  /// The model for the work, of a model that is rendered at this moment. The default is the model itself.
  func workModel(of model: Model, at moment: Moment) -> WorkModel
}

extension OutputWorkerDriver where WorkModel == Model {
  public func workModel(of model: Model, at moment: Moment) -> Model { model }
}

/// A model and the moment at which it began.
public struct Begun<Model: Equatable & Sendable>: Equatable, Sendable {
  public var model: Model
  public var start: Moment

  public init(_ model: Model, at start: Moment) {
    self.model = model
    self.start = start
  }
}

extension OutputWorkerDriver {
  public mutating func start(showing model: Model, in context: DriverContext<Never>) throws(DriverError) {
    try worker.start(showing: workModel(of: model, at: context.now), in: context)
  }

  public mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    try worker.show(workModel(of: model, at: worker.now))
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) { try worker.wake(wake) }
  public var isAtRest: Bool { worker.isAtRest }
  public mutating func stop() { worker.stop() }
}

/// The newest model of an output on its way to the hardware. Everything here is called on the cycle's thread by
/// ``OutputWorkerDriver``, and nothing waits for the hardware, except for hardware that the application requires.
///
/// The work receives one model at a time. A model that is replaced before it is sent is dropped, so that slow hardware
/// is never behind by more than one model.
public struct OutputWorker<Model: Equatable & Sendable> {
  private let device: String
  private let onThread: Bool
  private let watch: (Watcher) throws(DriverError) -> (any ReturnWatch)?
  private let makeWork: () -> any OutputWork<Model>
  private var context: DriverContext<Never>!
  private var worker: Worker<OutputSteps<Model>>!
  private var reporter = TroubleReporter()
  private var newest: Model?
  /// The number of the newest model, and of the last one that was sent.
  private var newestNumber = 0
  private var sentNumber = 0

  /// The models that can wait for the work: one, and the last one at the stop.
  private static var modelsAtOnce: Int { 2 }
  /// The retries that can wait for the work; the others are dropped, because one is enough.
  private static var retriesAtOnce: Int { 2 }

  /// Makes no work and opens nothing.
  ///
  /// - Parameters:
  ///   - device: the name of the hardware in errors, with its article: `the display`.
  ///   - onThread: true for hardware whose calls take real time. If false, the driver's alarm runs the steps on the
  ///     cycle's thread: deterministic in virtual time.
  ///   - watch: begins a watch for the return of lost hardware, such as `bus.watchForReturn`; it returns nil if nothing
  ///     announces the return. The hardware is tried again after 1 s, 2 s, … 60 s, with a watch as well.
  ///   - work: makes the work, at each start of the driver.
  public init(
    for device: String, onThread: Bool,
    watch: @escaping (Watcher) throws(DriverError) -> (any ReturnWatch)? = { _ throws(DriverError) in nil },
    work: @escaping () -> any OutputWork<Model>
  ) {
    self.device = device
    self.onThread = onThread
    self.watch = watch
    makeWork = work
  }

  mutating func start(showing model: Model, in context: DriverContext<Never>) throws(DriverError) {
    self.context = context
    newest = model
    (newestNumber, sentNumber) = (0, 0)
    reporter = TroubleReporter()
    worker = try Worker(
      OutputSteps(makeWork(), showing: model), for: device, onThread: onThread,
      commandCapacity: Self.modelsAtOnce + Self.retriesAtOnce, in: context)
    try worker.waitForRequiredStart(\.error)
  }

  /// The moment on the cycle's clock.
  var now: Moment { context.now }

  mutating func show(_ model: Model) throws(DriverError) {
    guard model != newest else { return }
    newest = model
    newestNumber += 1
    try send()
  }

  /// Sends the newest model, once the work has received the one before.
  private mutating func send() throws(DriverError) {
    guard sentNumber != newestNumber, worker.state.received == sentNumber, let newest else { return }
    try worker.send(.show(newest, number: newestNumber))
    sentNumber = newestNumber
  }

  mutating func wake(_ wake: Wake) throws(DriverError) {
    if case .ready = wake, reporter.acknowledge(), worker.commandRoom > Self.modelsAtOnce {
      try worker.send(.retry)
    }
    worker.wake(wake) { _, _ in }
    reporter.note(worker.state.error.map(Trouble.lost), in: context, watch: watch)
    try send()
  }

  var isAtRest: Bool {
    worker.state.isAway || (worker.state.error == nil && worker.state.shown == newestNumber)
  }

  mutating func stop() {
    if let worker {
      // Send the last model if that hasn't been done: the work finishes everything that it has received.
      if sentNumber != newestNumber, let newest { try? worker.send(.show(newest, number: newestNumber)) }
      worker.stop()
    }
    reporter.end()
  }
}
