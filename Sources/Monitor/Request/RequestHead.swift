/// The method, the target and the headers of a request.
struct RequestHead: Equatable {
  var method: String
  /// The path and the query, as they were sent.
  var target: String
  /// The first header of each name; nil if it is missing.
  var host: String?
  var origin: String?
  var authorization: String?
  var contentType: String?
  var contentLength: String?
  var lastEventID: String?
  /// Whether the body is sent in chunks, so that its length is unknown.
  var isChunked = false
  /// The name of a header that occurs several times, although only one is allowed; nil for none.
  var repeated: String?

  init(_ method: String, _ target: String) {
    self.method = method
    self.target = target
  }

  init(_ exchange: HTTPExchange) {
    self.init(exchange.method, exchange.target)
    var repeated: String?
    func header(_ name: String) -> String? {
      let (value, count) = exchange.header(name)
      if count > 1 { repeated = name }
      return value
    }
    host = header("Host")
    origin = header("Origin")
    authorization = header("Authorization")
    contentType = header("Content-Type")
    contentLength = header("Content-Length")
    lastEventID = header("Last-Event-ID")
    isChunked = header("Transfer-Encoding") != nil
    self.repeated = repeated
  }
}
