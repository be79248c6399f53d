import CycleCore

/// A number in the lines of text that a serial device sends by itself: a GPS receiver, a scale, a microcontroller.
///
/// **Wiring.** TX of the device to RX of the board (GPIO15, pin 10 of a Raspberry Pi), GND to GND. Lines of 5 V need a
/// divider. A device on USB needs no wires.
///
/// **Timing.** A number is emitted when its line has ended, if it differs from the last emitted one by the resolution or
/// more. If no line has matched for ``Settings/silent``, that is reported as a loss, and the next number is always
/// emitted. While the device is silent, only the end of that time wakes the driver.
///
/// Damaged lines are dropped and counted: those with control characters, with more than 4 096 bytes, or with a wrong
/// checksum. They are emitted as ``Event/damaged(_:)``, at most once per second.
///
/// **Source.** NMEA 0183, version 4.10, sections 5.2 and 5.3: sentences and their checksum.
///
///     Lens(
///       TextSensor(
///         platform.hardware(at: SerialPort("/dev/serial0")),
///         try TextSensor.Settings(TextPattern("$GPGGA,*,{latitude:nmea}"), checksum: .nmea, decimals: 3)),
///       on: { frame, event in if case .reading(let number) = event { frame.latitude = number } })
///
/// All sensors of one line share its connection.
public struct TextSensor: Driver {
  /// The settings that do not change while the application runs.
  public struct Settings: Equatable, Sendable {
    /// The settings of the line, the same for all sensors on it.
    public var line: SerialSettings
    public var pattern: TextPattern
    /// The name of the sensor's number in the pattern.
    public var number: String
    /// The checksum of the lines; nil if they have none.
    public var checksum: TextChecksum?
    /// The number is multiplied by this factor.
    public var scale: Double
    /// This is added after that.
    public var offset: Double
    /// The number of decimals that count, 0 to 9: a number is emitted when it has changed by 10^-decimals.
    public var decimals: Int
    /// The filter of the numbers, after scale and offset; nil for none.
    public var smoothing: Smoothing?
    /// The time without a matching line after which the sensor is lost; nil for never.
    public var silent: Duration?

    /// Traps for a name that the pattern does not have.
    ///
    /// - Parameters:
    ///   - pattern: the pattern of the lines.
    ///   - number: the name of the number; nil for the first one.
    ///   - line: the settings of the line.
    ///   - checksum: the checksum of the lines.
    ///   - scale: the factor, finite.
    ///   - offset: the number to add, finite.
    ///   - decimals: 0 to 9.
    ///   - silent: the time without a matching line after which the sensor is lost; nil for never.
    public init(
      _ pattern: TextPattern, number: String? = nil, line: SerialSettings = SerialSettings(),
      checksum: TextChecksum? = nil, scale: Double = 1, offset: Double = 0, decimals: Int = 1,
      silent: Duration? = TextSensor.usualSilence
    ) {
      self.line = line
      self.pattern = pattern
      self.number = number ?? pattern.names[0]
      precondition(pattern.names.contains(self.number), "the pattern has no {\(self.number)}")
      precondition(scale.isFinite && offset.isFinite, "a scale and an offset are finite")
      precondition((0...9).contains(decimals), "a sensor has 0 to 9 decimals")
      self.checksum = checksum
      (self.scale, self.offset, self.decimals, self.silent) = (scale, offset, decimals, silent)
    }
  }

  public enum Event: Equatable, Sendable, Codable {
    /// The number after scale and offset, not rounded; always finite.
    case reading(Double)
    /// This number of lines was damaged and dropped, at least 1.
    case damaged(Int)
  }

  /// The default of ``Settings/silent``: 10 s. A GPS receiver sends each second.
  public static let usualSilence = Duration.seconds(10)
  /// The shortest time between two events for damaged lines.
  private static let damagePause = Duration.seconds(1)

  private let line: any SerialLine
  private let settings: Settings
  private var context: DriverContext<Event>?
  private var receiver: SerialTextReceiver?
  private var news: NumberNews
  private var smoothed: SmoothedReadings
  /// The moment of the last matching line; that of the start before it.
  private var heard = Moment.zero
  private var alarm: Moment?
  private var isSilent = false
  /// The moment from which damaged lines may be emitted.
  private var nextDamage = Moment.zero

  /// Opens nothing.
  public init(_ line: any SerialLine, _ settings: Settings) {
    self.line = line
    self.settings = settings
    news = NumberNews(decimals: settings.decimals, settings.smoothing)
    smoothed = SmoothedReadings(settings.smoothing)
  }

  public mutating func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
    let receiver = SerialTextReceiver(settings, context.watcher) { context.room }
    try line.text.add(receiver, of: line, settings.line)
    self.context = context
    self.receiver = receiver
    heard = context.now
    isSilent = false
    setAlarm(settings.silent.map { context.now + $0 })
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    guard let context, let receiver else { return }
    if let error = receiver.error { throw error }
    // A late cycle can have both the bytes and the alarm.
    try line.text.read(for: receiver)
    for raw in receiver.takeNumbers() {
      heard = context.now
      if isSilent {
        isSilent = false
        news.forget()
        smoothed.forget()
        context.report(.restored)
      }
      let reading = raw * settings.scale + settings.offset
      guard reading.isFinite else { continue }
      let number = smoothed.take(reading, at: context.now)
      guard news.isNews(number) else { continue }
      context.emit(.reading(number))
      news.note(number)
    }
    emitDamage()
    checkSilence()
  }

  private mutating func emitDamage() {
    guard let context, let receiver, receiver.damagedCount > 0, context.now >= nextDamage, context.room > 0 else {
      return
    }
    context.emit(.damaged(receiver.damagedCount))
    receiver.damagedCount = 0
    nextDamage = context.now + Self.damagePause
  }

  private mutating func checkSilence() {
    guard let context, let receiver, let silent = settings.silent, !isSilent else { return }
    let end = heard + silent
    if end <= context.now {
      isSilent = true
      context.report(
        .lost(SerialErrorFactory(line.name).silent(settings.pattern.source, for: silent, receiver.counts)))
      setAlarm(nil)
    } else if alarm.map({ $0 <= context.now }) ?? true {
      // The alarm is set again when it is due, not at each line.
      setAlarm(end)
    }
  }

  private mutating func setAlarm(_ moment: Moment?) {
    alarm = moment
    context?.setAlarm(moment)
  }

  public mutating func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    try line.watchForReturn(watcher)
  }

  public mutating func stop() {
    if let receiver { line.text.remove(receiver) }
    setAlarm(nil)
    news.forget()
    smoothed.forget()
    receiver = nil
    context = nil
  }

  public func refusal(of event: Event) -> String? {
    switch event {
    case .reading(let number): number.isFinite ? nil : "\(number) is no number that is read"
    case .damaged(let count):
      UntrustedNumber.counts.contains(count) ? nil : "\(count) is not a number of damaged lines"
    }
  }
}
