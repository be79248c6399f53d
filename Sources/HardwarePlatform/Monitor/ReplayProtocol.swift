import CycleCore
import Monitor

/// A request to another process of this program to do something with a recording: a line of JSON, then the recording's
/// bytes.
struct ReplayRequest: Equatable {
  enum Act: String, Recordable { case play, save, frame }

  var act: Act
  var edits: [String] = []
  var isResimulated = false
  var form = SavedForm.recording
  /// The first and the last event of a part; for a frame both are its number.
  var from = 0
  var to = 0
  var recording: [UInt8]

  var bytes: [UInt8] {
    var line = JSONWriter()
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
    return Array(line.written) + [UInt8(ascii: "\n")] + recording
  }
}

extension ReplayRequest {
  init(_ bytes: [UInt8]) throws(RecordingTextFault) {
    let (line, rest) = try ReplayReply.parts(of: bytes)
    self = try JSONReader.read(line) { (recording) throws(RecordingTextFault) in
      try recording.beginObject()
      try recording.readKey("act")
      var request = ReplayRequest(act: try Act(from: &recording), recording: [])
      try recording.readKey("edits")
      request.edits = try [String](from: &recording)
      try recording.readKey("rehearsed")
      request.isResimulated = try recording.readBool()
      try recording.readKey("form")
      let name = try recording.readString()
      guard let form = SavedForm(rawValue: name) else { throw recording.fault("unknown form \"\(name)\"") }
      request.form = form
      try recording.readKey("range")
      let range = try [Int](from: &recording)
      guard range.count == 2, range[0] <= range[1] else { throw recording.fault("a range is two numbers") }
      (request.from, request.to) = (range[0], range[1])
      try recording.endObject()
      return request
    }
    recording = rest
  }
}

/// The answer of the other process: a line of JSON, then bytes.
enum ReplayReply: Equatable {
  case refused(MonitorRefusal)
  case played(PlayedRecording)
  case saved(String)
  /// A frame; nil if the recording doesn't lead to it.
  case frame(PlayedFrame?)

  var bytes: [UInt8] {
    var line = JSONWriter()
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
      rest = take.recording
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

  init(_ bytes: [UInt8]) throws(RecordingTextFault) {
    let (line, rest) = try Self.parts(of: bytes)
    self = try JSONReader.read(line) { (recording) throws(RecordingTextFault) in
      try recording.beginObject()
      let key = try recording.nextKey()
      let answer: ReplayReply
      switch key {
      case "refused":
        answer = .refused(MonitorRefusal(try recording.readInteger(), String(decoding: rest, as: UTF8.self)))
      case "played":
        guard let digest = FNV1aHash(try recording.readString()) else {
          throw recording.fault("a digest is missing")
        }
        try recording.readKey("numbers")
        let numbers = try [Int](from: &recording)
        guard numbers.count == 3 else { throw recording.fault("three numbers are missing") }
        try recording.readKey("ghosts")
        let pairs = try [[Int]](from: &recording)
        guard pairs.allSatisfy({ $0.count == 2 }) else { throw recording.fault("a pair is two numbers") }
        answer = .played(
          PlayedRecording(
            recording: rest, digest: digest, events: numbers[0], frame: numbers[1], first: numbers[2],
            ghosts: Dictionary(pairs.map { ($0[0], $0[1]) }) { first, _ in first }))
      case "saved":
        _ = try recording.readBool()
        answer = .saved(String(decoding: rest, as: UTF8.self))
      case "frame":
        let value = try String?(from: &recording)
        try recording.readKey("models")
        let models = try [String?](from: &recording)
        answer = .frame(value.map { PlayedFrame(value: $0, models: models) })
      default: throw recording.fault("an answer is missing")
      }
      try recording.endObject()
      return answer
    }
  }

  /// The line of a message, and the bytes after it.
  static func parts(of bytes: [UInt8]) throws(RecordingTextFault) -> (line: String, rest: [UInt8]) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { throw RecordingTextFault("a message has a line") }
    return (String(decoding: bytes[..<end], as: UTF8.self), Array(bytes[(end + 1)...]))
  }
}
