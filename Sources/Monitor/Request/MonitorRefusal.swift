import CycleCore

/// The reason for refusing a request: an HTTP status and a sentence.
public struct MonitorRefusal: Error, Equatable, Sendable {
  public var status: Int
  public var text: String

  public init(_ status: Int, _ text: String) {
    self.status = status
    self.text = text
  }

  /// Makes the refusal of a value that the application's types reject.
  init(_ fault: RecordingTextFault) { self.init(422, "\(fault)") }

  var answer: HTTPAnswer {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key(plain: "error")
    writer.write(text)
    writer.endObject()
    return .json(writer, status: status)
  }
}

extension HTTPAnswer {
  /// The headers of every answer. They forbid caching and the guessing of types.
  static let commonHeaders = [
    HTTPHeader("Cache-Control", "no-store"), HTTPHeader("X-Content-Type-Options", "nosniff"),
    HTTPHeader("Referrer-Policy", "no-referrer"), HTTPHeader("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  static func json(_ writer: borrowing JSONWriter, status: Int = 200) -> HTTPAnswer {
    .content("application/json", Array(writer.written), status: status)
  }

  static func content(_ type: String, _ body: [UInt8], status: Int = 200) -> HTTPAnswer {
    HTTPAnswer(status: status, headers: commonHeaders + [HTTPHeader("Content-Type", type)], body: body)
  }

  /// `{}`.
  static let done = HTTPAnswer.content("application/json", Array("{}".utf8))
}
