import CycleCore

/// Notes that follow each other, for a ``ToneBuzzer``.
///
///     Melody("C4 8, E4 8, G4 4")
///     Melody("scale:d=8,o=5,b=140:c,d,e,f,g,a,b,2c6")        // RTTTL, the format of old phones
public struct Melody: Equatable, Sendable, Codable {
  public struct Note: Equatable, Sendable, Codable {
    /// The frequency in hertz; nil for a rest.
    public var hertz: Double?
    public var length: Duration

    public init(_ hertz: Double?, _ length: Duration) { (self.hertz, self.length) = (hertz, length) }
  }

  /// The greatest number of notes.
  public static let limit = 1_000

  public var notes: [Note]

  /// - Parameter notes: 1 to ``limit`` notes.
  public init(_ notes: [Note]) {
    precondition((1...Self.limit).contains(notes.count), "a melody has 1 to \(Self.limit) notes")
    self.notes = notes
  }

  /// The time of all notes.
  public var length: Duration { notes.reduce(.zero) { $0 + $1.length } }
}

// MARK: - Text

extension Melody {
  /// The error in the text of a melody.
  public struct TextError: Error, Equatable, Sendable {
    /// The reason: `"H4" is not a note`.
    public let reason: String
  }

  /// Reads notes with a comma between them, or RTTTL.
  ///
  /// A note is a letter A to G with `#` or `b`, an octave 0 to 9 and the part of a whole note: `C#4 8` is an eighth of
  /// C sharp in the octave of middle C. `R 4` is a rest. A dot after the number makes the note half as long again. The
  /// default is a quarter.
  ///
  /// - Parameters:
  ///   - text: the notes.
  ///   - tempo: the quarters in a minute, above 0; RTTTL has its own.
  public init(_ text: String, tempo: Double = 120) throws(TextError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count == 3 {
      try self.init(rtttl: parts.map(String.init))
      return
    }
    guard parts.count == 1 else {
      throw TextError(reason: "a melody is notes such as \"C4 8, E4 8\", or RTTTL, which has two colons")
    }
    let quarter = 60 / tempo
    var notes: [Note] = []
    for item in Self.items(text) {
      let words = item.split(separator: " ")
      guard (1...2).contains(words.count) else { throw TextError(reason: "\"\(item)\" is not a note and its length") }
      let hertz = try Self.hertz(String(words[0]), octave: nil)
      var part = words.count > 1 ? String(words[1]) : "4"
      let isDotted = part.hasSuffix(".")
      if isDotted { part.removeLast() }
      guard let whole = Int(part), [1, 2, 4, 8, 16, 32].contains(whole) else {
        throw TextError(reason: "\"\(words[words.count - 1])\" is not a length; it is 1, 2, 4, 8, 16 or 32")
      }
      notes.append(Note(hertz, Self.length(of: whole, isDotted, quarter)))
    }
    try self.init(checked: notes)
  }

  /// Source: Nokia, Smart Messaging Specification 3.0.0, section 3.1.
  private init(rtttl parts: [String]) throws(TextError) {
    var (part, octave, tempo) = (4, 6, 63.0)
    for setting in Self.items(parts[1]) {
      let pair = setting.split(separator: "=").map { $0.filter { $0 != " " } }
      guard pair.count == 2, let number = Int(pair[1]), number > 0, number <= 900 else {
        throw TextError(reason: "\"\(setting)\" is not a setting of RTTTL, such as d=4")
      }
      switch pair[0].lowercased() {
      case "d": part = number
      case "o": octave = number
      case "b": tempo = Double(number)
      default: throw TextError(reason: "\"\(setting)\" is not a setting of RTTTL; it has d, o and b")
      }
    }
    var notes: [Note] = []
    for item in Self.items(parts[2]) {
      var rest = Substring(item.lowercased().filter { $0 != " " })
      let digits = rest.prefix(while: \.isNumber)
      rest = rest.dropFirst(digits.count)
      let whole = digits.isEmpty ? part : Int(digits) ?? 0
      guard [1, 2, 4, 8, 16, 32].contains(whole) else {
        throw TextError(reason: "\"\(item)\" has no length of RTTTL; it is 1, 2, 4, 8, 16 or 32")
      }
      let isDotted = rest.contains(".")
      let name = rest.filter { $0 != "." }
      let letters = name.prefix { !$0.isNumber }
      let number = name.dropFirst(letters.count)
      guard number.isEmpty || Int(number) != nil else { throw TextError(reason: "\"\(item)\" is not a note of RTTTL") }
      let hertz = try Self.hertz(letters.uppercased(), octave: Int(number) ?? octave, in: item)
      notes.append(Note(hertz, Self.length(of: whole, isDotted, 60 / tempo)))
    }
    try self.init(checked: notes)
  }

  private init(checked notes: [Note]) throws(TextError) {
    guard !notes.isEmpty else { throw TextError(reason: "a melody has at least one note") }
    guard notes.count <= Self.limit else {
      throw TextError(reason: "a melody has at most \(Self.limit) notes, not \(notes.count)")
    }
    self.init(notes)
  }

  private static func items(_ text: String) -> [String] {
    text.split(separator: ",").map { item in
      let start = item.drop { $0 == " " }
      return String(start.reversed().drop { $0 == " " }.reversed())
    }.filter { !$0.isEmpty }
  }

  private static func length(of part: Int, _ isDotted: Bool, _ quarter: Double) -> Duration {
    .nanoseconds(Int64((quarter * 4 / Double(part) * (isDotted ? 1.5 : 1) * 1e9).rounded()))
  }

  /// The frequency of a note such as `A4`, at 440 Hz for this one; nil for a rest.
  ///
  /// - Parameters:
  ///   - name: a letter with `#` or `b`, and the octave.
  ///   - octave: the octave if the name has none.
  ///   - item: the text for the error.
  static func hertz(_ name: String, octave: Int?, in item: String? = nil) throws(TextError) -> Double? {
    if ["R", "P"].contains(name) { return nil }
    let error = TextError(reason: "\"\(item ?? name)\" is not a note; write A4, C#5 or Bb3, or R for a rest")
    let steps: [Character: Int] = ["C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11]
    guard let first = name.first, var step = steps[first] else { throw error }
    var rest = name.dropFirst()
    if rest.first == "#" {
      step += 1
      rest = rest.dropFirst()
    } else if rest.first == "b" || rest.first == "B" {
      step -= 1
      rest = rest.dropFirst()
    }
    guard let octave = rest.isEmpty ? octave : rest.count == 1 ? Int(rest) : nil, (0...9).contains(octave) else {
      throw error
    }
    // The twelve half tones of an octave are a product, because no function of powers is the same on all machines.
    var factor = 1.0
    let halfTones = step + 12 * (octave - 4) - 9
    for _ in 0..<abs(halfTones) % 12 { factor *= 1.059463094359295264561825294946 }
    for _ in 0..<abs(halfTones) / 12 { factor *= 2 }
    return 440 * (halfTones < 0 ? 1 / factor : factor)
  }
}
