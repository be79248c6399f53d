import CycleCore

/// The number of a contactless tag (RFID, NFC): 4, 7 or 10 bytes.
public struct TagID: Hashable, Sendable, CustomStringConvertible {
  public let bytes: [UInt8]

  /// - Parameter bytes: 4, 7 or 10 bytes; any other number traps.
  public init(_ bytes: [UInt8]) {
    precondition(Self.lengths.contains(bytes.count), "a tag's number has 4, 7 or 10 bytes")
    self.bytes = bytes
  }

  /// Reads hexadecimal digits, with or without `:`, `-` or blanks between the bytes: `04A2B3C4`. Nil for anything else.
  public init?(_ text: String) {
    let digits = text.filter { !":- ".contains($0) }
    guard digits.count.isMultiple(of: 2), Self.lengths.contains(digits.count / 2),
      digits.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
    else { return nil }
    var bytes: [UInt8] = []
    var rest = Substring(digits)
    while !rest.isEmpty {
      guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    self.bytes = bytes
  }

  private static let lengths = [4, 7, 10]

  /// `04A2B3C4`.
  public var description: String { bytes.map(\.hexadecimal).joined().uppercased() }
}

/// The interface between ``TagReader`` and a chip that reads tags: ``MFRC522``.
public protocol TagChip: AnyObject {
  /// The chip's name in errors: `mfrc522 at spidev0.0`.
  var name: String { get }
  /// Whether calls block their thread: true for real hardware.
  var needsThread: Bool { get }
  /// Looks for a tag in the field. Takes up to 50 ms.
  ///
  /// - Throws: the error of the bus, or kind `failed` if another chip answers, or none.
  /// - Returns: the tag; nil if there is none, or if several tags disturb each other.
  func findTag(on clock: WorkClock) throws(DriverError) -> TagID?
}

/// A reader of contactless tags, which knows some of them.
///
/// **Wiring.** As the chip requires: ``MFRC522``.
///
/// **Timing.** The field is searched at the interval, on a separate thread. A tag is reported when it is found, and as
/// gone when two searches in a row have not found it. The tag that lies on the reader at the start is found, and is no
/// event.
///
///     Lens(TagReader(MFRC522(spi, chipSelect: 0), known: [TagID("04A2B3C4")!]), on: { frame, event in
///       if event == .found(0) { frame.isOpen = true }
///     })
public struct TagReader: Driver {
  public enum Event: Equatable, Sendable, Codable {
    /// A known tag is in the field, by its place in the list.
    case found(Int)
    /// A tag is in the field that is not in the list.
    case foundUnknown
    /// No tag is in the field any more.
    case gone
  }

  private let chip: any TagChip
  private let known: [TagID]
  private let interval: Duration
  private var context: DriverContext<Event>!
  private var poll: SensorPoller<Event>!
  /// The last report; nil before the first one.
  private var last: Event?

  /// Doesn't open the chip.
  ///
  /// - Parameters:
  ///   - chip: the chip, which only this reader uses.
  ///   - known: the tags that have events of their own.
  ///   - interval: the time from one search to the next, 50 ms to 10 s.
  ///   - last: the last event before the start, if the application knows it, for example from the application that this
  ///     one replaces. Another tag at the start is then an event. Nil if it is unknown.
  public init(
    _ chip: any TagChip, known: [TagID], interval: Duration = .milliseconds(250), last: Event? = nil
  ) {
    (self.chip, self.known, self.last) = (chip, known, last)
    self.interval = min(max(interval, .milliseconds(50)), .seconds(10))
  }

  public static var isInput: Bool { true }

  public mutating func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    poll = try SensorPoller(
      NumberChangeFilter(TagSource(chip, known), decimals: 0), at: .every(interval), for: "the reader \(chip.name)",
      onThread: chip.needsThread, in: context)
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    let count = known.count
    poll.wake(wake) { number, moment in
      let event = TagSource.event(of: number, among: count)
      defer { last = event }
      if last == nil {
        context.find(event, at: moment)
      } else if event != last {
        context.emit(event, at: moment)
      }
    }
  }

  public mutating func stop() { poll?.stop() }

  public func refusal(of event: Event) -> String? {
    if case .found(let place) = event, !known.indices.contains(place) {
      return "there is no tag \(place) of \(known.count)"
    }
    return nil
  }
}

/// The place of the tag in the field, as a number: 0 for none, then the known tags, then any other tag.
private final class TagSource: NumberSource {
  private let chip: any TagChip
  private let known: [TagID]
  private var isThere = false
  private var number = 0.0
  private(set) var refusal: DriverError?

  init(_ chip: any TagChip, _ known: [TagID]) {
    (self.chip, self.known) = (chip, known)
  }

  var name: String { chip.name }
  var unit: String { "" }
  var needsThread: Bool { chip.needsThread }

  func readNumber(on clock: WorkClock) throws(DriverError) -> Double {
    guard let tag = try chip.findTag(on: clock) else {
      // One search can miss a tag at the edge of the field.
      if !isThere { (number, refusal) = (0, nil) }
      isThere = false
      return number
    }
    isThere = true
    let place = known.firstIndex(of: tag)
    number = Double(place.map { $0 + 1 } ?? known.count + 1)
    refusal =
      place == nil
      ? DriverError(
        .failed, of: chip.name, cannot: "name the tag \(tag)", reason: "it is not in the list of known tags",
        remedy: "Add its number to the list, or ignore this message.") : nil
    return number
  }

  static func event(of number: Double, among count: Int) -> TagReader.Event {
    let place = Int(number)
    return place == 0 ? .gone : place > count ? .foundUnknown : .found(place - 1)
  }
}
