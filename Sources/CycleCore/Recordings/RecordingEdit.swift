import CycleBase

/// One edit of an ``EditedRecording``. Numbers of events are those of the recording.
public enum RecordingEdit: Equatable, Sendable {
  /// Removes the event.
  case off(Int)
  /// Restores a removed event.
  case on(Int)
  /// Replaces the value of the event or the trouble: JSON, as the lens's driver emits it.
  case edit(Int, value: String)
  /// Moves an event before another one. The list of moments stays the same.
  case move(Int, before: Int)
  /// Inserts an event after another one, not later than the next one.
  case insert(after: Int, at: Duration, lens: String, value: String)
  /// Sets a value of the frame after this event: `count`, `lamps[2].level`, or a row's column.
  case frame(Int, path: String, value: String)
  /// Adds a user's note about the event.
  case note(Int, text: String)
  /// Approves the event and its frame, or removes the approval.
  case approve(Int, Bool)

  /// Whether it changes events or frames: a note and an approval change nothing.
  public var changesEvents: Bool {
    switch self {
    case .note, .approve: false
    default: true
    }
  }

  /// Reads an edit from a line: `off 3`, `on 3`, `edit 3 "released"`, `move 1 before 3`, `insert after 3 at 150ms key
  /// "held"`, `frame 3 count 7`, `note 3 "too late"`, `approve 3`, `disapprove 3`.
  ///
  /// - Throws: ``RecordingTextFault`` with the correct form.
  public init(_ line: String) throws(RecordingTextFault) {
    var words = Words(line)
    switch words.next() {
    case "off": self = .off(try words.number("off 3"))
    case "on": self = .on(try words.number("on 3"))
    case "edit": self = .edit(try words.number(Self.editForm), value: try words.value(Self.editForm))
    case "move":
      let number = try words.number(Self.moveForm)
      try words.expect("before", Self.moveForm)
      self = .move(number, before: try words.number(Self.moveForm))
    case "insert":
      try words.expect("after", Self.insertForm)
      let number = try words.number(Self.insertForm)
      try words.expect("at", Self.insertForm)
      let moment = try words.moment(Self.insertForm)
      guard let lens = try words.name() else { throw Words.fault(Self.insertForm) }
      self = .insert(after: number, at: moment, lens: lens, value: try words.value(Self.insertForm))
    case "frame":
      let number = try words.number(Self.frameForm)
      guard let path = words.next() else { throw Words.fault(Self.frameForm) }
      self = .frame(number, path: path, value: try words.value(Self.frameForm))
    case "note": self = .note(try words.number(Self.noteForm), text: try words.text(Self.noteForm))
    case "approve": self = .approve(try words.number("approve 3"), true)
    case "disapprove": self = .approve(try words.number("disapprove 3"), false)
    default:
      throw RecordingTextFault("an edit begins with off, on, edit, move, insert, frame, note, approve or disapprove")
    }
    guard words.next() == nil else { throw RecordingTextFault("too many words; an edit is like: off 3") }
  }

  private static let editForm = "edit 3 \"released\""
  private static let moveForm = "move 1 before 3"
  private static let insertForm = "insert after 3 at 150ms key \"held\""
  private static let frameForm = "frame 3 count 7"
  private static let noteForm = "note 3 \"too late\""

  private static func json(_ text: String) -> String {
    var writer = JSONWriter()
    writer.write(text)
    return writer.text
  }

  /// The edit as a line, from which the same edit can be read.
  public var line: String {
    switch self {
    case .off(let number): "off \(number)"
    case .on(let number): "on \(number)"
    case .edit(let number, let value): "edit \(number) \(value)"
    case .move(let number, let other): "move \(number) before \(other)"
    case .insert(let number, let moment, let lens, let value):
      "insert after \(number) at \(moment.wholeNanoseconds)ns \(lens.contains(" ") ? Self.json(lens) : lens) \(value)"
    case .frame(let number, let path, let value): "frame \(number) \(path) \(value)"
    case .note(let number, let text): "note \(number) \(Self.json(text))"
    case .approve(let number, let isRight): "\(isRight ? "approve" : "disapprove") \(number)"
    }
  }
}

/// The words of an edit. The rest after them is a JSON value.
private struct Words {
  private var rest: Substring

  init(_ line: String) { rest = line[...] }

  static func fault(_ form: String) -> RecordingTextFault { RecordingTextFault("write \(form)") }

  mutating func next() -> String? {
    rest = rest.drop { $0 == " " }
    guard !rest.isEmpty else { return nil }
    let word = rest.prefix { $0 != " " }
    rest = rest[word.endIndex...]
    return String(word)
  }

  /// Returns the next word, or several words between quotation marks.
  mutating func name() throws(RecordingTextFault) -> String? {
    rest = rest.drop { $0 == " " }
    guard rest.first == "\"" else { return next() }
    var text = String(rest)
    let read = text.withUTF8 { utf8 in
      var recording = JSONReader(UnsafeRawBufferPointer(utf8))
      do throws(RecordingTextFault) {
        return Result<(String, Int), RecordingTextFault>.success((try recording.readString(), recording.offset))
      } catch {
        return .failure(error)
      }
    }
    let (name, length) = try read.get()
    rest = rest[rest.utf8.index(rest.startIndex, offsetBy: length)...]
    return name
  }

  mutating func expect(_ word: String, _ form: String) throws(RecordingTextFault) {
    guard next() == word else { throw Self.fault(form) }
  }

  mutating func number(_ form: String) throws(RecordingTextFault) -> Int {
    guard let word = next(), let number = Int(word), number > 0 else { throw Self.fault(form) }
    return number
  }

  /// Returns a moment from the recording's start: `150ms`, `2s`, `1500ns`, with or without a fraction.
  mutating func moment(_ form: String) throws(RecordingTextFault) -> Duration {
    guard let word = next() else { throw Self.fault(form) }
    let digits = word.prefix { $0.isNumber || $0 == "." }
    let units: [Substring: Double] = ["s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1, "m": 60e9, "h": 3600e9]
    guard let unit = units[word[digits.endIndex...]], let number = Double(digits), number * unit < 9e18 else {
      throw Self.fault(form)
    }
    return .nanoseconds(Int64((number * unit).rounded()))
  }

  /// Returns the rest, which must be a JSON string.
  mutating func text(_ form: String) throws(RecordingTextFault) -> String {
    let value = try value(form)
    do throws(RecordingTextFault) {
      return try JSONReader.read(value) { (recording) throws(RecordingTextFault) in try recording.readString() }
    } catch {
      throw Self.fault(form)
    }
  }

  /// Returns the rest, which must be one JSON value.
  mutating func value(_ form: String) throws(RecordingTextFault) -> String {
    let text = String(rest.drop { $0 == " " })
    rest = rest[rest.endIndex...]
    _ = try JSONReader.read(text) { (recording) throws(RecordingTextFault) in try recording.skipValue() }
    return text
  }
}
