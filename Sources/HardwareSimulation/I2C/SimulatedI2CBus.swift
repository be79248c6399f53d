import CycleCore
import HardwareDrivers

/// An I²C bus in memory. The program uses it like any ``HardwareDrivers/I2CBus``; the world's side connects and unplugs
/// devices, makes transfers fail and reads the log of transactions.
///
///     let bus = SimulatedI2CBus(bench)
///     let expander = SimulatedPCF8574()
///     let socket = bus.connect(expander, at: 0x27)
///     socket.silentTransactions = 1
///
/// Everything runs on the bench's thread. A transfer advances the caller's ``CycleCore/WorkClock`` by its time on the
/// wire; outside a worker it takes that time on the cycle's thread (``Bench/spend(_:on:)``). That is 9 clock cycles per
/// byte, one for the start of each message, one for the stop, and the devices' clock stretching. A transfer that is
/// requested during another one first waits for its end.
public final class SimulatedI2CBus: I2CBus, SimulatedBus {
  public let bench: Bench
  /// The name of the bus in messages.
  public let name: String
  /// The frequency of the bus's clock in hertz; default: 100 000.
  public var clockHertz: Int
  /// The time for which the adapter waits for a device that stretches the clock; default: 1 s, as in the kernel.
  public var timeout = Duration.seconds(1)
  /// Whether this user may open the bus.
  public var isPermitted = true
  /// Whether the adapter supports only SMBus: bytes, words, and blocks of up to 32.
  public var isSMBusOnly = false
  /// Whether a line of the bus is held low: each transfer fails after the timeout.
  public var isStuck = false

  /// The next opening fails with this error, once.
  public var nextOpenError: DriverError?
  /// Every opening fails with this error until it is set to nil.
  public var lastingOpenError: DriverError?
  /// The next transfer fails with this error, once, before it uses the wire.
  public var nextTransferError: DriverError? {
    didSet { if nextTransferError == nil { transfersBeforeError = 0 } }
  }
  /// The number of transfers that succeed before the one that fails with ``nextTransferError``.
  public var transfersBeforeError = 0
  /// Every transfer fails with this error until it is set to nil, before it uses the wire.
  public var lastingTransferError: DriverError?
  /// Whether a transfer that fails with one of these errors uses the wire and takes effect nevertheless.
  public var failedTransfersTakeEffect = false

  public private(set) var isPlugged: Bool
  /// The connected devices, including unplugged ones.
  public private(set) var sockets: [I2CSocket] = []
  /// The number of open connections to devices.
  public private(set) var openCount = 0
  /// The number of requested transfers, including failed ones.
  public private(set) var transferCount = 0
  /// The transactions on the wire, the newest last.
  public var transactions: [I2CTransaction] { transactionLog.entries }
  /// The number of the oldest transactions that were dropped from ``transactions``. At least the newest 4 096 are kept.
  public var forgottenTransactions: Int { transactionLog.forgottenCount }
  private var transactionLog = RecentEntries<I2CTransaction>()

  /// The number of times that the bus has been unplugged: connections that were opened before the last time are lost.
  private(set) var unplugCount = 0
  private var freeAt = Moment.zero
  private let watches = ReturnWatchers()
  private var plugListeners = Listeners<() -> Void>()
  private var listeners: [() -> Void] = []

  /// - Parameter isPlugged: whether the bus is there initially; if not, ``plug()`` connects it.
  /// - Parameter name: the name of the bus in messages and in its log.
  /// - Parameter clockHertz: the frequency of the bus's clock, in hertz.
  /// - Parameter bench: the bench.
  public init(_ bench: Bench, name: String = "i2c-1", clockHertz: Int = 100_000, isPlugged: Bool = true) {
    precondition(clockHertz > 0, "the clock must be above 0 Hz")
    self.bench = bench
    self.name = name
    self.clockHertz = clockHertz
    self.isPlugged = isPlugged
  }

  // MARK: - The world's side

  /// Connects a device. It replaces a device that is at the address already.
  @discardableResult
  public func connect(_ device: any SimulatedI2CDevice, at address: I2CAddress) -> I2CSocket {
    sockets.removeAll { $0.address == address }
    let socket = I2CSocket(device, at: address)
    sockets.append(socket)
    return socket
  }

  private func socket(at address: I2CAddress) -> I2CSocket? { sockets.first { $0.address == address } }

  /// Unplugs the adapter: transfers on connections that are open now fail with the kind `lost`.
  public func unplug() {
    guard isPlugged else { return }
    isPlugged = false
    unplugCount += 1
    for listener in plugListeners.all { listener() }
  }

  /// Plugs the adapter in again; devices must be opened again.
  public func plug() {
    guard !isPlugged else { return }
    isPlugged = true
    watches.wake()
    for listener in plugListeners.all { listener() }
  }

  /// Calls `listener` after the adapter was unplugged or plugged in, while `owner` lives.
  public func onPlug(for owner: AnyObject, _ listener: @escaping () -> Void) { plugListeners.add(listener, for: owner) }

  /// Calls `listener` at the end of each transaction.
  public func onTransaction(_ listener: @escaping () -> Void) { listeners.append(listener) }

  /// The addresses of the connected devices.
  public var deviceNames: [String] { sockets.map { "\($0.address)" } }

  /// The text of ``transactions``, one line each.
  public var log: String { transactions.map { "\($0)\n" }.joined() }

  // MARK: - The program's side

  public var needsThread: Bool { false }

  public func open(_ address: I2CAddress) throws(DriverError) -> any I2CConnection {
    if let error = nextOpenError ?? lastingOpenError {
      nextOpenError = nil
      throw error
    }
    let fault = I2CErrorFactory(bus: name, address: address)
    guard isPlugged else { throw fault.absent() }
    guard isPermitted else { throw fault.notPermitted() }
    if let driver = socket(at: address)?.kernelDriver { throw fault.busy(driver, unbind: "unbind it") }
    openCount += 1
    return SimulatedI2CConnection(self, fault)
  }

  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    watches.add(watcher)
  }

  func close() {
    openCount -= 1
  }

  // MARK: - The wire

  func transfer(_ messages: [I2CMessage], _ fault: I2CErrorFactory, on clock: WorkClock) throws(DriverError) -> [UInt8]
  {
    transferCount += 1
    let failure = try takeTransferError()
    if isSMBusOnly, SMBusTransfer.expressing(messages, functions: .max) == nil {
      throw fault.unsupported(messages, "the adapter speaks SMBus only, and that has no such transfer")
    }
    // If the cycle is late, the clock of a worker's step is still at the moment when the step was due. The wire and its
    // devices are already at the bench's moment, so the transfer starts then.
    if clock.now < bench.now { clock.sleep(for: bench.now - clock.now) }
    if clock.now < freeAt { bench.spend(freeAt - clock.now, on: clock) }
    if isStuck {
      bench.spend(timeout, on: clock)
      throw fault.held(messages)
    }
    let device = socket(at: fault.address).flatMap { $0.answers() ? $0 : nil }
    var wire = RunningI2CTransaction(at: clock.now, clockHertz: clockHertz, timeout: timeout)
    for message in messages where wire.outcome == .done { wire.send(message, to: device) }
    wire.end(device)
    freeAt = wire.moment
    transactionLog.append(
      I2CTransaction(
        moment: wire.start, duration: wire.duration, address: fault.address, messages: wire.messages,
        outcome: wire.outcome))
    bench.spend(wire.duration, on: clock)
    for listener in listeners { listener() }
    if let failure { throw failure }
    switch wire.outcome {
    case .done: return wire.bytesRead
    case .refused: throw fault.noAnswer(messages)
    case .timedOut: throw fault.timedOut(messages)
    }
  }
}

/// A simulated bus that is open for one device.
final class SimulatedI2CConnection: I2CConnection {
  private let bus: SimulatedI2CBus
  private let fault: I2CErrorFactory
  private let unplugCount: Int
  private var isClosed = false

  init(_ bus: SimulatedI2CBus, _ fault: I2CErrorFactory) {
    self.bus = bus
    self.fault = fault
    unplugCount = bus.unplugCount
  }

  deinit {
    close()
  }

  func transfer(_ messages: [I2CMessage], on clock: WorkClock) throws(DriverError) -> [UInt8] {
    precondition(!isClosed, "a connection that has been closed is not used any more")
    try fault.check(messages)
    guard bus.unplugCount == unplugCount else { throw fault.lost(messages) }
    return try bus.transfer(messages, fault, on: clock)
  }

  func close() {
    if !isClosed { bus.close() }
    isClosed = true
  }
}
