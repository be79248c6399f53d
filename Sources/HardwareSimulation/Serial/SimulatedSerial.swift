import CycleCore
import HardwareDrivers

/// A device at the other end of a ``SimulatedSerial`` that replies to the program.
public protocol SimulatedSerialDevice: AnyObject {
  /// Receives the bytes of one write. Replies with ``SimulatedSerial/send(_:after:)``.
  func receive(_ bytes: [UInt8])
}

/// A serial line in memory. The program uses it like any ``HardwareDrivers/SerialLine``; the world's side sends bytes,
/// reads what the program has written, and causes faults.
///
///     let line = SimulatedSerial(bench, "/dev/ttyUSB0")
///     line.send("t=21.5\r\n")
///     line.written                              // the bytes that the program has sent
///
/// Each byte takes its time on the wire, in both directions, with the settings that the program has opened the line
/// with. The program is woken for each group of ``wakeSize`` bytes, and for the last byte. While the line is closed, what
/// the device sends is lost.
public final class SimulatedSerial: SerialLine, SimulatedHardware {
  /// A byte that the program has sent, with the moment at which it has arrived at the device.
  public struct Sent: Equatable, Sendable {
    public let moment: Moment
    public let byte: UInt8
  }

  public let bench: Bench
  public let name: String
  public let text = SerialTextReader()
  public let needsThread = false

  // MARK: - Settings of the world

  /// The number of bytes of the kernel's buffers, in each direction.
  public var capacity = 4096
  /// The number of bytes after which the controller wakes the program while more follow.
  public var wakeSize = 8
  /// Whether bytes take no time on the wire.
  public var isInstant = false
  /// The settings that the hardware supports; default: all.
  public var supports: (SerialSettings) -> Bool = { _ in true }
  /// Whether this user may open the line.
  public var isPermitted = true
  /// Whether another program uses the line.
  public var isBusy = false
  public private(set) var isPlugged: Bool

  // MARK: - Faults

  /// The next opening fails with this error, once.
  public var nextOpenError: DriverError?
  /// Every opening fails with this error until it is set to nil.
  public var lastingOpenError: DriverError?
  /// The next read or write fails with this error, once.
  public var nextError: DriverError?
  /// Every read and write fails with this error until it is set to nil.
  public var lastingError: DriverError?
  /// The number of the next bytes from the device of which a random bit is wrong.
  public var noisyBytes = 0
  /// The number of the next bytes from the device that get lost.
  public var lostBytes = 0
  /// Whether the program receives its own bytes, as from an adapter for RS-485 whose receiver stays on while it
  /// sends.
  public var echoes = false
  /// Whether the sender takes nothing more, as that of a device that never reads.
  public var isSenderStuck = false {
    didSet { if !isSenderStuck { wakeIfReady() } }
  }

  // MARK: - State

  /// The settings that the program has opened the line with; nil while it is closed.
  public private(set) var settings: SerialSettings?
  /// Whether a program has opened the line.
  public var isOpen: Bool { connection != nil }
  /// The number of connections that the program has opened and not closed, including those that were lost.
  public private(set) var openCount = 0
  /// The number of reads and writes.
  public private(set) var accessCount = 0
  /// The number of bytes from the device that did not fit into the kernel's buffer.
  public private(set) var overrunCount = 0
  /// The bytes that have arrived at the device, the oldest first. At least the newest 4 096 are kept.
  public var sent: [Sent] { sentLog.entries }
  /// The bytes of ``sent``.
  public var written: [UInt8] { sent.map(\.byte) }

  private var sentLog = RecentEntries<Sent>()
  private weak var connection: SimulatedSerialConnection?
  private let watches = ReturnWatchers()
  /// The devices at the other end, in the order of their connection. A device lives as long as it is connected.
  public private(set) var devices: [any SimulatedSerialDevice] = []
  private var plugListeners: [() -> Void] = []
  /// The bytes from the device with the moments of their arrival.
  private var arriving: [Sent] = []
  private var deviceFreeAt = Moment.zero
  /// The bytes of the program that have not arrived at the device.
  private var leaving: [Sent] = []
  private var programFreeAt = Moment.zero
  private var device: (([UInt8]) -> Void)?
  /// The moment at which the bytes that the device handles have arrived; nil while it handles none.
  private var handled: Moment?
  private var repeated: (() -> [UInt8])?
  private var repeatInterval = Duration.zero
  private var lastSent = Moment.zero
  /// The device of ``textSensors``.
  var textDevice: SimulatedTextSensors?

  /// - Parameters:
  ///   - bench: the bench.
  ///   - name: the name of the line in messages.
  ///   - isPlugged: whether it is there initially.
  public init(_ bench: Bench, _ name: String = "/dev/ttyUSB0", isPlugged: Bool = true) {
    (self.bench, self.name, self.isPlugged) = (bench, name, isPlugged)
  }

  // MARK: - The world's side

  /// The device sends bytes, after those that it is sending already.
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - pause: the time before the first byte, from now on, or from the end of the bytes that the device handles.
  public func send(_ bytes: [UInt8], after pause: Duration = .zero) { send(bytes, at: (handled ?? bench.now) + pause) }

  private func send(_ bytes: [UInt8], at start: Moment) {
    lastSent = start
    guard let settings, isPlugged else { return }
    var moment = max(start, deviceFreeAt)
    for (index, byte) in bytes.enumerated() {
      if !isInstant { moment = moment + settings.byteTime }
      guard let byte = damage(byte) else { continue }
      arrive(Sent(moment: moment, byte: byte))
      if index % wakeSize == wakeSize - 1, !isInstant { planWake(at: moment) }
    }
    deviceFreeAt = moment
    planWake(at: moment)
  }

  /// Puts a byte into the kernel's buffer, in the order of the moments.
  private func arrive(_ sent: Sent) {
    guard arriving.count < capacity else {
      overrunCount += 1
      return
    }
    let later = arriving.lastIndex { $0.moment <= sent.moment }
    arriving.insert(sent, at: later.map { $0 + 1 } ?? 0)
  }

  /// The device sends a text.
  public func send(_ text: String) { send(Array(text.utf8)) }

  /// The line is broken for longer than a byte: the program reads a zero.
  public func sendBreak() { send([0]) }

  /// Makes a device that replies: `device` gets the bytes of the program, all bytes of one write together. What it sends
  /// begins when they have arrived.
  public func onReceive(_ device: @escaping ([UInt8]) -> Void) { self.device = device }

  /// Connects a device that replies. Several devices of RS-485 can be on one line: each gets all bytes.
  public func connect(_ device: any SimulatedSerialDevice) { devices.append(device) }

  /// Disconnects a device.
  public func disconnect(_ device: any SimulatedSerialDevice) { devices.removeAll { $0 === device } }

  /// Calls `listener` after the line was unplugged or plugged in.
  public func onPlug(_ listener: @escaping () -> Void) { plugListeners.append(listener) }

  /// Makes a device that sends by itself: when the line is opened, and after each interval in which it has sent nothing.
  ///
  /// A program that looks for bytes finds them then. The repetition alone does not wake it, so that a simulation of
  /// hours stays short.
  ///
  /// - Parameters:
  ///   - interval: the time between two repetitions.
  ///   - bytes: returns the bytes; none if the device is silent.
  public func repeatEvery(_ interval: Duration, _ bytes: @escaping () -> [UInt8]) {
    (repeatInterval, repeated) = (interval, bytes)
  }

  private func damage(_ byte: UInt8) -> UInt8? {
    if lostBytes > 0 {
      lostBytes -= 1
      return nil
    }
    guard noisyBytes > 0 else { return byte }
    noisyBytes -= 1
    return byte ^ 1 << UInt8.random(in: 0..<8, using: &bench.random)
  }

  /// Unplugs the line: the open connection is lost, with all bytes on their way.
  public func unplug() {
    guard isPlugged else { return }
    isPlugged = false
    connection?.isLost = true
    connection?.wake()
    forgetBytes()
    for listener in plugListeners { listener() }
  }

  /// Plugs the line in again. The program must open it again.
  public func plug() {
    guard !isPlugged else { return }
    isPlugged = true
    watches.wake()
    for listener in plugListeners { listener() }
  }

  private func forgetBytes() {
    arriving = []
    leaving = []
    (deviceFreeAt, programFreeAt) = (.zero, .zero)
    (connection, settings) = (nil, nil)
  }

  private func planWake(at moment: Moment) {
    guard moment > bench.now else { return wakeIfReady() }
    bench.plan(at: moment) { [weak self] in self?.wakeIfReady() }
  }

  // MARK: - The program's side

  public func open(_ settings: SerialSettings) throws(DriverError) -> any SerialConnection {
    let fault = SerialErrorFactory(name)
    if let error = nextOpenError ?? lastingOpenError {
      nextOpenError = nil
      throw error
    }
    guard isPlugged else { throw fault.absent() }
    guard isPermitted else { throw fault.notPermitted() }
    guard !isBusy, connection == nil else { throw fault.busy() }
    guard supports(settings) else { throw fault.unsupported(settings) }
    let opened = SimulatedSerialConnection(self, fault)
    connection = opened
    self.settings = settings
    openCount += 1
    if let bytes = repeated?(), !bytes.isEmpty { send(bytes) }
    return opened
  }

  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { watches.add(watcher) }

  /// Whether the program finds something: a byte, or room that it waits for.
  private var isReady: Bool {
    if let first = arriving.first, first.moment <= bench.now { return true }
    return connection?.wantsRoom == true && roomToSend(at: bench.now) > 0
  }

  fileprivate func wakeIfReady() { if isReady { connection?.wake() } }

  fileprivate func takeError() throws(DriverError) {
    accessCount += 1
    guard let error = nextError ?? lastingError else { return }
    nextError = nil
    throw error
  }

  /// - Parameter now: the moment of the read, which is later than that of the bench in the step of a worker.
  fileprivate func read(_ limit: Int, at now: Moment) -> [UInt8] {
    if arriving.isEmpty, repetition(from: now) <= now, let bytes = repeated?() {
      lastSent = now
      if !bytes.isEmpty { send(bytes, at: now) }
    }
    let count = min(limit, arriving.firstIndex { $0.moment > now } ?? arriving.count)
    let bytes = arriving.prefix(count).map(\.byte)
    arriving.removeFirst(count)
    return bytes
  }

  /// The moment at which the next byte arrives, or the device repeats its bytes, up to `end`; nil for none.
  fileprivate func nextArrival(after now: Moment, until end: Moment) -> Moment? {
    if let first = arriving.first { return first.moment <= end ? max(first.moment, now) : nil }
    guard repeated != nil else { return nil }
    let due = repetition(from: now)
    return due <= end ? due : nil
  }

  /// The moment of the next repetition. The step of a worker may have read ahead of the moment of the bench: then the
  /// repetitions before that one are those of the same rhythm.
  private func repetition(from now: Moment) -> Moment {
    guard lastSent > now, repeatInterval > .zero else { return max(lastSent + repeatInterval, now) }
    let ahead = (lastSent - now).wholeNanoseconds / repeatInterval.wholeNanoseconds
    return lastSent + repeatInterval * Int(-ahead)
  }

  private func roomToSend(at now: Moment) -> Int {
    isSenderStuck ? 0 : max(0, capacity - leaving.filter { $0.moment > now }.count)
  }

  fileprivate func write(_ bytes: UnsafeRawBufferPointer, at now: Moment) -> Int {
    let count = min(bytes.count, roomToSend(at: now))
    guard count > 0, let settings else { return 0 }
    leaving.removeAll { $0.moment <= now }
    var moment = max(now, programFreeAt)
    var taken: [UInt8] = []
    for byte in bytes.prefix(count) {
      if !isInstant { moment = moment + settings.byteTime }
      let sent = Sent(moment: moment, byte: byte)
      leaving.append(sent)
      sentLog.append(sent)
      taken.append(byte)
      if echoes, let byte = damage(byte) { arrive(Sent(moment: moment, byte: byte)) }
    }
    programFreeAt = moment
    if echoes {
      deviceFreeAt = max(deviceFreeAt, moment)
      planWake(at: moment)
    }
    handled = moment
    device?(taken)
    for device in devices { device.receive(taken) }
    handled = nil
    if count < bytes.count { planWake(at: moment) }
    return count
  }

  fileprivate func close(_ closed: SimulatedSerialConnection) {
    openCount -= 1
    if closed === connection || connection == nil { forgetBytes() }
  }
}

/// A simulated line that is open.
private final class SimulatedSerialConnection: SerialConnection {
  var isLost = false
  private(set) var wantsRoom = false
  private let line: SimulatedSerial
  private let fault: SerialErrorFactory
  private var waker: DriverWaker?
  private var isClosed = false

  init(_ line: SimulatedSerial, _ fault: SerialErrorFactory) {
    (self.line, self.fault) = (line, fault)
  }

  deinit { close() }

  func wake() { waker?.wake() }

  func watch(_ watcher: Watcher) throws(DriverError) {
    waker = watcher.makeWaker()
    line.wakeIfReady()
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(DriverError) -> Int {
    precondition(!isClosed, "a connection that has been closed is not used any more")
    guard !isLost else { throw fault.lost() }
    try line.takeError()
    let bytes = line.read(buffer.count, at: line.bench.now)
    buffer.copyBytes(from: bytes)
    line.wakeIfReady()
    return bytes.count
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(DriverError) -> Int {
    precondition(!isClosed, "a connection that has been closed is not used any more")
    guard !isLost else { throw fault.lost() }
    try line.takeError()
    wantsRoom = false
    let count = line.write(bytes, at: line.bench.now)
    wantsRoom = count < bytes.count
    return count
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, until moment: Moment, on clock: WorkClock
  ) throws(DriverError) -> Int {
    precondition(!isClosed, "a connection that has been closed is not used any more")
    guard !isLost else { throw fault.lost() }
    try line.takeError()
    advance(clock)
    while true {
      let arrival = line.nextArrival(after: clock.now, until: moment)
      line.bench.spend((arrival ?? moment) - clock.now, on: clock)
      let bytes = line.read(buffer.count, at: clock.now)
      buffer.copyBytes(from: bytes)
      // At the moment of a repetition, the device only begins to send.
      if !bytes.isEmpty || arrival == nil || clock.now >= moment { return bytes.count }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, on clock: WorkClock) throws(DriverError) -> Int {
    precondition(!isClosed, "a connection that has been closed is not used any more")
    guard !isLost else { throw fault.lost() }
    try line.takeError()
    advance(clock)
    return line.write(bytes, at: clock.now)
  }

  /// Sets the clock of a worker whose step is late to the moment of the world.
  private func advance(_ clock: WorkClock) {
    if clock.now < line.bench.now { clock.sleep(for: line.bench.now - clock.now) }
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    waker = nil
    line.close(self)
  }
}
