import CycleCore

/// A reader that types codes like a keyboard: a barcode scanner, a reader of RFID cards.
///
/// **Wiring.** None: the device is plugged in.
///
/// **Timing.** A code is emitted at its Enter, with the kernel's time stamp of that key. The driver sleeps until the
/// kernel has events: 0 wake-ups a second.
///
/// **Losses.** Each dropped code is reported as trouble: one that is too long, that stops before Enter, that contains a
/// key without a character, or of which the kernel has dropped keys.
///
/// **Source.** The kernel's `Documentation/input/event-codes`; USB HID Usage Tables, section 10.
///
///     let reader = platform.hardware(at: KeysPort(.named("Sycreader USB Reader")))
///     Lens(CodeReader(reader), on: { frame, event in
///       if case .read(let code) = event { frame.isOpen = code == "0008312345" }
///     })
public struct CodeReader: Driver {
  public struct Settings: Equatable, Sendable {
    /// The maximum number of characters of a code, 1 to 64. Cards have 8 or 10 digits, barcodes of goods 8 to 14.
    public var longest: Int
    /// The longest time between two keys of a code, 10 ms to 60 s. A reader types a key each 2 ms to 20 ms.
    public var gap: Duration
    /// True if only this program gets the keys. If it is false, the console gets the codes, too.
    public var isGrabbed: Bool
    /// The codes that the application knows. Each other code is also reported as trouble, so that the log has it. Nil for
    /// no such reports.
    public var known: [String]?

    public init(
      longest: Int = 32, gap: Duration = .seconds(1), isGrabbed: Bool = true, known: [String]? = nil
    ) {
      (self.longest, self.gap, self.isGrabbed, self.known) = (longest, gap, isGrabbed, known)
    }
  }

  public enum Event: Equatable, Sendable, Codable {
    /// A code of 1 to ``Settings/longest`` characters of ASCII.
    case read(String)
  }

  private let settings: Settings
  private let stream: KeyStream
  private var code: TypedCode
  private var context: DriverContext<Event>?

  /// Doesn't open the device.
  public init(_ device: any KeyDevice, settings: Settings = Settings()) {
    precondition((1...64).contains(settings.longest), "a code has 1 to 64 characters")
    self.settings = settings
    stream = KeyStream(device, isGrabbed: settings.isGrabbed)
    code = TypedCode(longest: settings.longest, gap: settings.gap)
  }

  public mutating func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    _ = try stream.open(context.watcher)
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    guard let context else { return }
    defer { context.setAlarm(code.deadline) }
    let isAllRead: Bool
    do throws(DriverError) {
      isAllRead = try stream.read(
        hasRoom: { context.room > 0 }, now: context.now, take: { apply($0, at: $1, context) })
    } catch {
      if error.kind == .lost, let result = code.end() { report(result, at: context.now, context) }
      throw error
    }
    guard isAllRead else { return context.watcher.makeWaker().wake() }
    if wake == .alarm, let result = code.settle(by: context.now) { report(result, at: context.now, context) }
  }

  private mutating func apply(_ change: KeyStream.Change, at moment: Moment, _ context: DriverContext<Event>) {
    if let result = code.settle(by: moment) { report(result, at: moment, context) }
    switch change {
    case .key(let key, let isDown):
      if let result = code.receive(key, isDown: isDown, at: moment) { report(result, at: moment, context) }
    case .axis: break
    case .dropped(let down):
      context.report(once: KeyErrorFactory(name: stream.device.name).dropped())
      code.lose(shift: !down.isDisjoint(with: Keyboard.shifts), at: moment)
    }
  }

  private func report(_ result: TypedCode.Result, at moment: Moment, _ context: DriverContext<Event>) {
    let fault = KeyErrorFactory(name: stream.device.name)
    switch result {
    case .code(let code):
      context.emit(.read(code), at: moment)
      if let known = settings.known, !known.contains(code) { context.report(once: fault.unknown(code: code)) }
    case .fault(.tooLong):
      context.report(
        once: fault.dropped(
          code: "it has more than \(settings.longest) characters", remedy: "It was dropped. Allow longer codes."))
    case .fault(.incomplete):
      context.report(
        once: fault.dropped(
          code: "Enter is missing at its end", remedy: "It was dropped. Set the reader to type Enter after each code."))
    case .fault(.key(let key)):
      context.report(
        once: fault.dropped(
          code: "it contains the key \(key.name), which types no character",
          remedy: "It was dropped. Set the reader to a US keyboard."))
    // The loss was reported when it happened.
    case .fault(.lostKeys): break
    }
  }

  public mutating func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    try stream.device.watchForReturn(watcher)
  }

  public mutating func stop() {
    stream.close()
    _ = code.end()
    context?.setAlarm(nil)
    context = nil
  }

  /// True if a reader can type the code: all its characters are on a US keyboard.
  public static func canRead(_ code: String) -> Bool { !code.isEmpty && Keyboard.keys(typing: code) != nil }

  public func refusal(of event: Event) -> String? {
    guard case .read(let code) = event else { return nil }
    guard (1...settings.longest).contains(code.utf8.count) else {
      return "a code of \(code.utf8.count) characters is not one of 1 to \(settings.longest)"
    }
    return Self.canRead(code) ? nil : "a code has only characters that a keyboard types"
  }
}
