import CycleCore

/// Buttons that are keys of an input device: the keys of a numeric keypad, the pedals of a foot switch, the buttons of a
/// remote control. Other keys of the device are ignored.
///
/// **Wiring.** None: the device is plugged in, or a driver of the kernel makes it.
///
/// **Timing.** Moments are the kernel's time stamps. A device debounces its keys itself, so each change counts. The
/// driver sleeps until the kernel has events: 0 wake-ups a second.
///
/// **The start.** Keys that are down at the start are passed to `Lens.onFound` as pressed, which is not an event. A key
/// that is down when the device is unplugged counts as released.
///
/// **Losses.** If the kernel's queue was full, the driver reads the keys that are down, emits the differences, and
/// reports the loss as trouble.
///
/// **Source.** The kernel's `Documentation/input/input-programming` and `event-codes`.
///
///     let keypad = platform.hardware(at: KeysPort(.named("USB Keypad")))
///     Lens(KeyButtons(keypad, keys: [KeyCode("kp1")!, KeyCode("kp2")!]), on: { frame, event in
///       if case .pressed(let key) = event { frame.level = key }
///     })
public struct KeyButtons: Driver {
  /// An event of a key, by its place in the driver's keys.
  public enum Event: Equatable, Sendable, Codable {
    case pressed(Int)
    case released(Int)
    /// The key was pressed for the time of its gesture.
    case held(Int)
    /// Pressed and released once, and neither held nor part of a double click.
    case clicked(Int)
    /// Pressed a second time within the gesture's double-click time. Emitted at the second press, or at its release if
    /// the key's gesture has holds.
    case doubleClicked(Int)
    /// Still down after the repetition time of the gesture, since it was held or repeated.
    case repeated(Int)
    /// Pressed this many times in one series, 3 to ``Gesture/clickLimit``.
    case multiClicked(Int, clicks: Int)

    /// The key's place in the driver's keys.
    public var key: Int {
      switch self {
      case .pressed(let key), .released(let key), .held(let key), .clicked(let key), .doubleClicked(let key),
        .repeated(let key), .multiClicked(let key, _):
        key
      }
    }
  }

  private let keys: [KeyCode]
  /// The places of each key.
  private let places: [KeyCode: Int]
  private var gestures: [Gesture]
  private let stream: KeyStream
  private var isKnown: Bool
  private var context: DriverContext<Event>?

  /// The maximum number of events that one change of a key causes.
  private static let mostEvents = 4

  /// Doesn't open the device.
  ///
  /// - Parameters:
  ///   - device: the input device.
  ///   - keys: the keys, 1 to 64, all different.
  ///   - gestures: the gesture of each key; empty if only ``Event/pressed(_:)`` and ``Event/released(_:)`` are emitted.
  ///   - isGrabbed: whether no other program gets the keys of the device. If it is false, the console gets them, too.
  ///   - pressed: the places of the keys that the application knows as pressed before it starts, for example from the
  ///     application that this one replaces. A different state at the start is then an event. Nil if it is unknown.
  public init(
    _ device: any KeyDevice, keys: [KeyCode], gestures: [Gesture] = [], isGrabbed: Bool = true, pressed: [Int]? = nil
  ) {
    precondition((1...64).contains(keys.count) && Set(keys).count == keys.count, "the keys are 1 to 64 different ones")
    precondition(gestures.isEmpty || gestures.count == keys.count, "each key has a gesture, or none")
    self.keys = keys
    places = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
    stream = KeyStream(device, isGrabbed: isGrabbed)
    isKnown = pressed != nil
    let plain = keys.map { _ in Gesture(hold: nil, doubleClick: nil, emitsClicks: false) }
    self.gestures = gestures.isEmpty ? plain : gestures
    for key in pressed ?? [] { self.gestures[key].assumePressed() }
  }

  public mutating func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    let down = try stream.open(context.watcher)
    let now = context.now
    for (key, code) in keys.enumerated() {
      if isKnown {
        gestures[key].correct(isPressed: down.contains(code), at: now) { Self.emit($0, key, $1, context) }
      } else {
        gestures[key].find(isPressed: down.contains(code), at: now) { event, moment in
          Self.event(event, key).map { context.find($0, at: moment) }
        }
      }
    }
    isKnown = true
    setAlarm()
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    guard let context else { return }
    defer { setAlarm() }
    let isAllRead: Bool
    do throws(DriverError) {
      isAllRead = try read(context)
    } catch {
      if error.kind == .lost { releaseAll(context) }
      throw error
    }
    guard isAllRead else { return context.watcher.makeWaker().wake() }
    if wake == .alarm { settle(by: context.now, context) }
  }

  private mutating func read(_ context: DriverContext<Event>) throws(DriverError) -> Bool {
    try stream.read(
      hasRoom: { context.room >= Self.mostEvents || context.room == context.capacity }, now: context.now,
      take: { apply($0, at: $1, context) })
  }

  private mutating func apply(_ change: KeyStream.Change, at moment: Moment, _ context: DriverContext<Event>) {
    settle(by: moment, context)
    switch change {
    case .key(let code, let isDown):
      guard let key = places[code] else { return }
      gestures[key].change(isDown, at: moment) { Self.emit($0, key, $1, context) }
    case .axis: break
    case .dropped(let down):
      context.report(once: KeyErrorFactory(name: stream.device.name).dropped())
      for (key, code) in keys.enumerated() {
        gestures[key].forget()
        gestures[key].correct(isPressed: down.contains(code), at: moment) { Self.emit($0, key, $1, context) }
      }
    }
  }

  /// The device is gone: no key is down.
  private mutating func releaseAll(_ context: DriverContext<Event>) {
    for key in keys.indices {
      gestures[key].forget()
      gestures[key].correct(isPressed: false, at: context.now) { Self.emit($0, key, $1, context) }
    }
  }

  /// Emits the holds and clicks whose deadlines have passed, in the order of the deadlines.
  private mutating func settle(by moment: Moment, _ context: DriverContext<Event>) {
    while let deadline = gestures.lazy.compactMap(\.deadline).min(), deadline <= moment {
      for key in keys.indices {
        gestures[key].settle(by: deadline) { Self.emit($0, key, $1, context) }
      }
    }
  }

  private func setAlarm() { context?.setAlarm(gestures.lazy.compactMap(\.deadline).min()) }

  private static func emit(_ event: Button.Event, _ key: Int, _ moment: Moment, _ context: DriverContext<Event>) {
    if let event = self.event(event, key) { context.emit(event, at: moment) }
  }

  private static func event(_ event: Button.Event, _ key: Int) -> Event? {
    switch event {
    case .pressed: .pressed(key)
    case .released: .released(key)
    case .held: .held(key)
    case .clicked: .clicked(key)
    case .doubleClicked: .doubleClicked(key)
    case .repeated: .repeated(key)
    case .multiClicked(let clicks): .multiClicked(key, clicks: clicks)
    case .edgesLost: nil
    }
  }

  public mutating func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    try stream.device.watchForReturn(watcher)
  }

  public mutating func stop() {
    stream.close()
    context?.setAlarm(nil)
    context = nil
    for key in keys.indices { gestures[key].forget() }
  }

  public func refusal(of event: Event) -> String? {
    if case .multiClicked(_, let clicks) = event, let refusal = Button.Event.multiClicked(clicks).refusal {
      return refusal
    }
    return keys.indices.contains(event.key) ? nil : "there is no key \(event.key); keys are 0 to \(keys.count - 1)"
  }
}
