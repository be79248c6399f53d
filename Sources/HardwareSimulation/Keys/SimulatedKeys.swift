import CycleCore
import HardwareDrivers

/// An input device in memory. The program uses it like any ``HardwareDrivers/KeyDevice``; the world's side presses keys,
/// unplugs the device and causes faults.
///
///     let keypad = SimulatedKeys(bench, KeysPort(.named("USB Keypad")))
///     keypad.press(KeyCode("kp1")!)
///     keypad.type("0008312345")
///
/// All events at one moment are one reading of the program. The queue has the size of the kernel's: a program that reads
/// too late loses events.
public final class SimulatedKeys: KeyDevice, SimulatedHardware {
  public let bench: Bench
  public let name: String
  private let fault: KeyErrorFactory

  // MARK: - The world's side

  public private(set) var isPlugged: Bool
  /// The keys that are down.
  public private(set) var down: Set<KeyCode> = []
  /// Whether this user may open the device.
  public var isPermitted = true
  /// Whether another program has grabbed the device.
  public var isBusy = false
  /// The next opening fails with this error, once.
  public var nextOpenError: DriverError?
  /// Every reading fails with this error until it is set to nil.
  public var lastingError: DriverError?
  /// The number of events that the queue holds; of a further one, all are dropped.
  public var queueDepth = 64
  /// Whether a program has opened the device.
  public var isOpen: Bool { connection != nil }
  /// Whether a program has grabbed the device: the console gets no keys.
  public private(set) var isGrabbed = false

  private weak var connection: SimulatedKeyConnection?
  private let returns = ReturnWatchers()

  /// - Parameters:
  ///   - bench: the bench.
  ///   - port: the name of the device in messages.
  ///   - isPlugged: whether it is there initially.
  public init(_ bench: Bench, _ port: KeysPort, isPlugged: Bool = true) {
    self.bench = bench
    self.isPlugged = isPlugged
    name = port.choice.text
    fault = KeyErrorFactory(port.choice)
  }

  /// Presses a key.
  public func press(_ key: KeyCode) {
    guard isPlugged, down.insert(key).inserted else { return }
    send(key, 1)
  }

  /// Releases a key.
  public func release(_ key: KeyCode) {
    guard down.remove(key) != nil else { return }
    send(key, 0)
  }

  /// Repeats a key that is held down, as a keyboard does.
  public func `repeat`(_ key: KeyCode) {
    if down.contains(key) { send(key, 2) }
  }

  /// Types characters of a US keyboard at this moment, and Enter.
  ///
  /// - Parameters:
  ///   - text: the characters; others trap.
  ///   - endsWithEnter: whether Enter follows.
  public func type(_ text: String, endsWithEnter: Bool = true) {
    guard let keys = Keyboard.keys(typing: text) else {
      preconditionFailure("\"\(text)\" has characters that no key types")
    }
    for (key, isShifted) in keys {
      if isShifted { press(Keyboard.shift) }
      click(key)
      if isShifted { release(Keyboard.shift) }
    }
    if endsWithEnter { click(Keyboard.enter) }
  }

  /// Moves a relative axis by a number of steps, in one event.
  public func turn(_ axis: AxisEncoder.Axis, by steps: Int32) {
    if isPlugged, steps != 0 { send(type: KeyEvent.relative, axis.rawValue, steps) }
  }

  private func click(_ key: KeyCode) {
    press(key)
    release(key)
  }

  /// Drops the events that the program has not read, as if the queue were full.
  public func drop() { connection?.drop(at: bench.now) }

  /// Unplugs the device. Its keys are up when it is plugged in again.
  public func unplug() {
    guard isPlugged else { return }
    isPlugged = false
    down = []
    connection?.wake()
  }

  public func plug() {
    guard !isPlugged else { return }
    // A connection from before is lost.
    connection?.isLost = true
    connection = nil
    isGrabbed = false
    isPlugged = true
    returns.wake()
  }

  private func send(_ key: KeyCode, _ value: Int32) { send(type: KeyEvent.key, key.rawValue, value) }

  private func send(type: UInt16, _ code: UInt16, _ value: Int32) {
    connection?.add([
      KeyEvent(type: type, code: code, value: value, moment: bench.now),
      KeyEvent(type: KeyEvent.synchronization, code: 0, value: 0, moment: bench.now),
    ])
  }

  // MARK: - The program's side

  public var isPresent: Bool { isPlugged }

  public func open(isGrabbed: Bool) throws(DriverError) -> any KeyConnection {
    if let error = nextOpenError {
      nextOpenError = nil
      throw error
    }
    guard isPlugged else { throw fault.absent() }
    guard isPermitted else { throw fault.notPermitted() }
    guard !isBusy || !isGrabbed, connection == nil || !isGrabbed else { throw fault.busy() }
    let connection = SimulatedKeyConnection(self, fault)
    self.connection = connection
    self.isGrabbed = isGrabbed
    return connection
  }

  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { returns.add(watcher) }

  fileprivate func close(_ closed: SimulatedKeyConnection) {
    guard connection === closed else { return }
    connection = nil
    isGrabbed = false
  }
}

/// A simulated device that a program has opened.
private final class SimulatedKeyConnection: KeyConnection {
  private let keys: SimulatedKeys
  private let fault: KeyErrorFactory
  private var queue: [KeyEvent] = []
  private var waker: DriverWaker?
  var isLost = false

  init(_ keys: SimulatedKeys, _ fault: KeyErrorFactory) {
    self.keys = keys
    self.fault = fault
  }

  func add(_ events: [KeyEvent]) {
    for event in events {
      // The kernel drops all and leaves a mark. The newest event follows it.
      if queue.count >= keys.queueDepth { drop(at: event.moment) }
      queue.append(event)
    }
    wake()
  }

  func drop(at moment: Moment) {
    queue = [KeyEvent(type: KeyEvent.synchronization, code: KeyEvent.dropped, value: 0, moment: moment)]
    wake()
  }

  func wake() { waker?.wake() }

  func watch(_ watcher: Watcher) { waker = watcher.makeWaker() }

  private func check() throws(DriverError) {
    if isLost || !keys.isPlugged { throw fault.lost() }
    if let error = keys.lastingError { throw error }
  }

  func read(into events: inout [KeyEvent]) throws(DriverError) {
    try check()
    events += queue.prefix(KeyEvent.mostRead)
    queue.removeFirst(min(queue.count, KeyEvent.mostRead))
    if !queue.isEmpty { wake() }
  }

  func pressedKeys() throws(DriverError) -> Set<KeyCode> {
    try check()
    queue.removeAll { $0.type == KeyEvent.key }
    return keys.down
  }

  func close() {
    waker = nil
    keys.close(self)
  }
}
