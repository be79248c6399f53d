import CycleCore
import HardwareDrivers

/// An SPI bus in memory. The program uses it like any ``HardwareDrivers/SPIBus``; the world's side connects and unplugs
/// devices, makes transfers fail and reads the log of transfers.
///
///     let bus = SimulatedSPIBus(bench)
///     let socket = bus.connect(converter, at: 0)
///     socket.stuckOutput = .high
///
/// Everything runs on the bench's thread. A transfer advances the caller's ``CycleCore/WorkClock`` by its time on the
/// wire; outside a worker it takes that time on the cycle's thread (``Bench/spend(_:on:)``). That is eight clock cycles
/// per byte, and the pauses. A transfer that is requested during another one first waits for its end.
public final class SimulatedSPIBus: SPIBus, SimulatedBus {
  public let bench: Bench
  /// The number of the bus: 0 for `spidev0.0`.
  public let number: Int
  /// The maximum frequency of the controller's clock in hertz: a device that asks for more gets this.
  public var maximumHertz = 125_000_000
  /// The number of bytes in one transfer; default: 4 096, as in the kernel.
  public var byteLimit = SPIDevice.usualByteLimit
  /// The settings that the controller supports; default: all.
  public var supports: (SPISettings) -> Bool = { _ in true }
  /// The byte that is read while no device drives the line to the controller. Default: 0, because a Raspberry Pi pulls
  /// the line down.
  public var openLineByte: UInt8 = 0
  /// Whether this user may open the bus.
  public var isPermitted = true

  public var nextOpenError: DriverError?
  /// Every opening fails with this error until it is set to nil.
  public var lastingOpenError: DriverError?
  public var nextTransferError: DriverError? {
    didSet { if nextTransferError == nil { transfersBeforeError = 0 } }
  }
  public var transfersBeforeError = 0
  public var lastingTransferError: DriverError?
  public var failedTransfersTakeEffect = false

  public private(set) var isPlugged: Bool
  /// The connected devices, including unplugged ones.
  public private(set) var sockets: [SPISocket] = []
  public private(set) var openCount = 0
  public private(set) var transferCount = 0
  /// The transfers on the wire, the newest last.
  public var transfers: [SPITransfer] { transferLog.entries }
  /// The number of the oldest transfers that were dropped from ``transfers``. At least the newest 4 096 are kept.
  public var forgottenTransfers: Int { transferLog.forgottenCount }
  private var transferLog = RecentEntries<SPITransfer>()

  /// The number of times that the bus has been unplugged: connections that were opened before the last time are lost.
  private(set) var unplugCount = 0
  private var openSelects: Set<Int> = []
  private var freeAt = Moment.zero
  private let watches = ReturnWatchers()
  private var plugListeners = Listeners<() -> Void>()
  private var listeners: [() -> Void] = []

  /// - Parameters:
  ///   - bench: the bench.
  ///   - number: the number of the bus in messages.
  ///   - isPlugged: whether the bus is there initially; if not, ``plug()`` connects it.
  public init(_ bench: Bench, number: Int = 0, isPlugged: Bool = true) {
    self.bench = bench
    self.number = number
    self.isPlugged = isPlugged
  }

  public var name: String { SPIBusPort(number: number).subject }

  // MARK: - The world's side

  /// Connects a device. It replaces a device that is at the chip select already.
  @discardableResult
  public func connect(_ device: any SimulatedSPIDevice, at chipSelect: Int) -> SPISocket {
    sockets.removeAll { $0.chipSelect == chipSelect }
    let socket = SPISocket(device, at: chipSelect)
    sockets.append(socket)
    return socket
  }

  public var deviceNames: [String] {
    sockets.map { SPIErrorFactory(bus: number, chipSelect: $0.chipSelect).subject }
  }

  private func socket(at chipSelect: Int) -> SPISocket? { sockets.first { $0.chipSelect == chipSelect } }

  /// Unplugs the controller: transfers on connections that are open now fail with the kind `lost`.
  public func unplug() {
    guard isPlugged else { return }
    isPlugged = false
    unplugCount += 1
    openSelects = []
    for listener in plugListeners.all { listener() }
  }

  /// Plugs the controller in again; devices must be opened again.
  public func plug() {
    guard !isPlugged else { return }
    isPlugged = true
    watches.wake()
    for listener in plugListeners.all { listener() }
  }

  /// Calls `listener` after the controller was unplugged or plugged in, while `owner` lives.
  public func onPlug(for owner: AnyObject, _ listener: @escaping () -> Void) { plugListeners.add(listener, for: owner) }

  public func onTransaction(_ listener: @escaping () -> Void) { listeners.append(listener) }

  /// The text of ``transfers``, one line each.
  public var log: String { transfers.map { "\($0)\n" }.joined() }

  // MARK: - The program's side

  public var needsThread: Bool { false }

  public func open(_ chipSelect: Int, _ settings: SPISettings) throws(DriverError) -> any SPIConnection {
    if let error = nextOpenError ?? lastingOpenError {
      nextOpenError = nil
      throw error
    }
    let fault = SPIErrorFactory(bus: number, chipSelect: chipSelect)
    let socket = socket(at: chipSelect)
    guard isPlugged, !(socket?.hasKernelDriver ?? false) else { throw fault.absent() }
    guard isPermitted else { throw fault.notPermitted() }
    guard !(socket?.isBusy ?? false), !openSelects.contains(chipSelect) else { throw fault.busy() }
    guard supports(settings) else { throw fault.unsupported(settings) }
    openSelects.insert(chipSelect)
    openCount += 1
    return SimulatedSPIConnection(self, settings, fault)
  }

  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { watches.add(watcher) }

  func close(_ chipSelect: Int, from count: Int) {
    openCount -= 1
    if count == unplugCount { openSelects.remove(chipSelect) }
  }

  // MARK: - The wire

  func transfer(
    _ messages: [SPIMessage], _ settings: SPISettings, _ fault: SPIErrorFactory, on clock: WorkClock
  ) throws(DriverError) -> [UInt8] {
    transferCount += 1
    let failure = try takeTransferError()
    // If the cycle is late, the clock of a worker's step is still at the moment when the step was due. The wire and its
    // devices are already at the bench's moment, so the transfer starts then.
    if clock.now < bench.now { clock.sleep(for: bench.now - clock.now) }
    if clock.now < freeAt { bench.spend(freeAt - clock.now, on: clock) }
    let device = socket(at: fault.chipSelect)
    var wire = RunningSPITransfer(
      at: clock.now, hertz: min(settings.hertz, maximumHertz), settings, to: device, openLineByte)
    wire.begin()
    for message in messages { wire.send(message) }
    wire.end()
    freeAt = wire.moment
    let duration = wire.moment - clock.now
    transferLog.append(
      SPITransfer(
        moment: clock.now, duration: duration, chipSelect: fault.chipSelect, messages: wire.messages))
    bench.spend(duration, on: clock)
    for listener in listeners { listener() }
    if let failure { throw failure }
    return wire.received
  }
}

/// A simulated bus that is open for one device.
private final class SimulatedSPIConnection: SPIConnection {
  private let bus: SimulatedSPIBus
  private let settings: SPISettings
  private let fault: SPIErrorFactory
  private let unplugCount: Int
  private var isClosed = false

  init(_ bus: SimulatedSPIBus, _ settings: SPISettings, _ fault: SPIErrorFactory) {
    self.bus = bus
    self.settings = settings
    self.fault = fault
    unplugCount = bus.unplugCount
  }

  deinit {
    close()
  }

  var byteLimit: Int { bus.byteLimit }

  func transfer(_ messages: [SPIMessage], on clock: WorkClock) throws(DriverError) -> [UInt8] {
    precondition(!isClosed, "a connection that has been closed is not used any more")
    try fault.check(messages, byteLimit: byteLimit, settings)
    guard bus.unplugCount == unplugCount else { throw fault.lost() }
    return try bus.transfer(messages, settings, fault, on: clock)
  }

  func close() {
    if !isClosed { bus.close(fault.chipSelect, from: unplugCount) }
    isClosed = true
  }
}
