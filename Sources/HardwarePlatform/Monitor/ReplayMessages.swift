import CycleCore
import Monitor

/// A request to another process of this program to do something with a film: a line of JSON, then the film's bytes.
struct ReplayRequest: Equatable {
  enum Act: String, Filmed { case play, save, frame }

  var act: Act
  var edits: [String] = []
  var isResimulated = false
  var form = SavedForm.film
  /// The first and the last event of a part; for a frame both are its number.
  var from = 0
  var to = 0
  var film: [UInt8]

  var bytes: [UInt8] {
    var line = FilmWriter()
    line.beginObject()
    line.key(plain: "act")
    act.write(to: &line)
    line.key(plain: "edits")
    edits.write(to: &line)
    line.key(plain: "rehearsed")
    line.write(isResimulated)
    line.key(plain: "form")
    line.write(form.rawValue)
    line.key(plain: "range")
    [from, to].write(to: &line)
    line.endObject()
    return Array(line.written) + [UInt8(ascii: "\n")] + film
  }
}

extension ReplayRequest {
  init(_ bytes: [UInt8]) throws(FilmFault) {
    let (line, rest) = try ReplayReply.parts(of: bytes)
    self = try FilmReader.read(line) { (film) throws(FilmFault) in
      try film.beginObject()
      try film.readKey("act")
      var request = ReplayRequest(act: try Act(from: &film), film: [])
      try film.readKey("edits")
      request.edits = try [String](from: &film)
      try film.readKey("rehearsed")
      request.isResimulated = try film.readBool()
      try film.readKey("form")
      let name = try film.readString()
      guard let form = SavedForm(rawValue: name) else { throw film.fault("unknown form \"\(name)\"") }
      request.form = form
      try film.readKey("range")
      let range = try [Int](from: &film)
      guard range.count == 2, range[0] <= range[1] else { throw film.fault("a range is two numbers") }
      (request.from, request.to) = (range[0], range[1])
      try film.endObject()
      return request
    }
    film = rest
  }
}

/// The answer of the other process: a line of JSON, then bytes.
enum ReplayReply: Equatable {
  case refused(MonitorRefusal)
  case played(PlayedFilm)
  case saved(String)
  /// A frame; nil if the film doesn't lead to it.
  case frame(PlayedFrame?)

  var bytes: [UInt8] {
    var line = FilmWriter()
    var rest: [UInt8] = []
    line.beginObject()
    switch self {
    case .refused(let refusal):
      line.key(plain: "refused")
      line.write(refusal.status)
      rest = Array(refusal.text.utf8)
    case .played(let take):
      line.key(plain: "played")
      line.write(take.digest)
      line.key(plain: "numbers")
      [take.events, take.frame, take.first].write(to: &line)
      line.key(plain: "ghosts")
      take.ghosts.sorted { $0.key < $1.key }.map { [$0.key, $0.value] }.write(to: &line)
      rest = take.film
    case .saved(let text):
      line.key(plain: "saved")
      line.write(true)
      rest = Array(text.utf8)
    case .frame(let frame):
      line.key(plain: "frame")
      (frame?.value).write(to: &line)
      line.key(plain: "models")
      (frame?.models ?? []).write(to: &line)
    }
    line.endObject()
    return Array(line.written) + [UInt8(ascii: "\n")] + rest
  }

  init(_ bytes: [UInt8]) throws(FilmFault) {
    let (line, rest) = try Self.parts(of: bytes)
    self = try FilmReader.read(line) { (film) throws(FilmFault) in
      try film.beginObject()
      let key = try film.nextKey()
      let answer: ReplayReply
      switch key {
      case "refused":
        answer = .refused(MonitorRefusal(try film.readInteger(), String(decoding: rest, as: UTF8.self)))
      case "played":
        guard let digest = FilmDigest(try film.readString()) else { throw film.fault("a digest is missing") }
        try film.readKey("numbers")
        let numbers = try [Int](from: &film)
        guard numbers.count == 3 else { throw film.fault("three numbers are missing") }
        try film.readKey("ghosts")
        let pairs = try [[Int]](from: &film)
        guard pairs.allSatisfy({ $0.count == 2 }) else { throw film.fault("a pair is two numbers") }
        answer = .played(
          PlayedFilm(
            film: rest, digest: digest, events: numbers[0], frame: numbers[1], first: numbers[2],
            ghosts: Dictionary(pairs.map { ($0[0], $0[1]) }) { first, _ in first }))
      case "saved":
        _ = try film.readBool()
        answer = .saved(String(decoding: rest, as: UTF8.self))
      case "frame":
        let value = try String?(from: &film)
        try film.readKey("models")
        let models = try [String?](from: &film)
        answer = .frame(value.map { PlayedFrame(value: $0, models: models) })
      default: throw film.fault("an answer is missing")
      }
      try film.endObject()
      return answer
    }
  }

  /// The line of a message, and the bytes after it.
  static func parts(of bytes: [UInt8]) throws(FilmFault) -> (line: String, rest: [UInt8]) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { throw FilmFault("a message has a line") }
    return (String(decoding: bytes[..<end], as: UTF8.self), Array(bytes[(end + 1)...]))
  }
}
