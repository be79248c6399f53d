internal import CHTTP
import CycleCore
import Glibc

/// A request and its answer, from the request's headers to the end of the answer.
struct HTTPExchange: Hashable {
  fileprivate let pointer: OpaquePointer

  var method: String { String(cString: chttp_method(pointer)) }
  /// The path and the query, as they were sent.
  var target: String { String(cString: chttp_target(pointer)) }

  /// Returns the value of the first header with a name, and the number of headers with this name.
  func header(_ name: String) -> (value: String?, count: Int) {
    var count: UInt32 = 0
    let value = chttp_request_header(pointer, name, &count)
    return (value.map { String(cString: $0) }, Int(count))
  }

  func answer(_ answer: HTTPAnswer) {
    answer.headers.withCHeaders { headers, count in
      answer.body.withUnsafeBufferPointer { body in
        chttp_answer(pointer, UInt32(answer.status), headers, count, body.baseAddress, body.count)
      }
    }
  }

  /// Answers with the bytes from ``HTTPHandler/read(_:into:)``, block by block.
  ///
  /// - Parameter size: the number of bytes; nil for a stream that reports its end.
  func stream(_ headers: [HTTPHeader], size: Int? = nil) {
    headers.withCHeaders { headers, count in chttp_stream(pointer, headers, count, Int64(size ?? -1)) }
  }

  /// Makes the exchange wait for a later answer.
  func wait() { chttp_wait(pointer) }

  /// Makes the server request the next bytes of the stream again.
  func resume() { chttp_resume(pointer) }
}

struct HTTPHeader: Equatable {
  var name: String
  var value: String

  init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

struct HTTPAnswer: Equatable {
  var status = 200
  var headers: [HTTPHeader] = []
  var body: [UInt8] = []
}

/// Answers requests, on the thread of ``HTTPServer/run()``.
protocol HTTPHandler: AnyObject {
  /// Called when the headers have been read. An answer given here refuses the request.
  func begin(_ exchange: HTTPExchange)
  /// Called when the whole request has been read.
  func handle(_ exchange: HTTPExchange, _ body: UnsafeBufferPointer<UInt8>)
  /// Copies the next bytes of a streamed answer. Returns their number; 0 if there are none yet, nil at the end.
  func read(_ exchange: HTTPExchange, into bytes: UnsafeMutableBufferPointer<UInt8>) -> Int?
  /// Called when the answer was sent, or the client has disconnected: the exchange is not used any more.
  func end(_ exchange: HTTPExchange)
}

/// A server for HTTP/1.1 in a caller's loop. Calls `libmicrohttpd`.
final class HTTPServer {
  struct Limits {
    var connections = 16
    /// The time limit for receiving a request, and for a client that reads nothing of an answer.
    var patience = Duration.seconds(10)
    var headerBytes = 16 << 10
    var bodyBytes = 64 << 10
  }

  private var server: OpaquePointer?

  /// - Parameters:
  ///   - listener: a listening socket. The server closes it at its end, and also after a failure.
  ///   - handler: the handler of requests; it must live as long as the server.
  init(listener: Int32, _ limits: Limits, _ handler: any HTTPHandler) throws(DriverError) {
    var settings = chttp_settings()
    settings.listener = listener
    settings.connections = UInt32(limits.connections)
    settings.milliseconds = UInt32(limits.patience.wholeNanoseconds / 1_000_000)
    settings.header_bytes = limits.headerBytes
    settings.body_bytes = limits.bodyBytes
    holder = Holder(handler)
    var calls = chttp_calls()
    calls.owner = Unmanaged.passUnretained(holder).toOpaque()
    calls.head = { Holder.of($0).handler?.begin(HTTPExchange(pointer: $1!)) }
    calls.whole = {
      Holder.of($0).handler?.handle(HTTPExchange(pointer: $1!), UnsafeBufferPointer(start: $2, count: $3))
    }
    calls.read = { owner, exchange, bytes, capacity in
      let bytes = UnsafeMutableBufferPointer(start: bytes, count: capacity)
      return Holder.of(owner).handler?.read(HTTPExchange(pointer: exchange!), into: bytes) ?? -1
    }
    calls.ended = { Holder.of($0).handler?.end(HTTPExchange(pointer: $1!)) }
    let failure = chttp_start(&settings, &calls, &server)
    if failure != 0 { throw Self.error(-failure) }
  }

  /// Contains the handler; C code has a pointer to it.
  private final class Holder {
    /// Nil while the handler is deallocated: requests are then not answered.
    weak var handler: (any HTTPHandler)?

    init(_ handler: any HTTPHandler) { self.handler = handler }

    static func of(_ pointer: UnsafeMutableRawPointer?) -> Holder {
      Unmanaged<Holder>.fromOpaque(pointer!).takeUnretainedValue()
    }
  }

  private let holder: Holder

  deinit { stop() }

  /// Closes all connections.
  func stop() {
    guard let stopped = server else { return }
    server = nil
    chttp_stop(stopped)
  }

  /// Readable when ``run()`` has something to do.
  var descriptor: Int32 { server.map { chttp_descriptor($0) } ?? -1 }

  /// Reads and writes what is ready, without waiting.
  func run() { if let server { chttp_run(server) } }

  /// The time in nanoseconds after which ``run()`` must be called even if nothing becomes ready; nil for never.
  var timeout: Int64? {
    guard let server else { return nil }
    let milliseconds = chttp_timeout(server)
    return milliseconds < 0 ? nil : milliseconds * 1_000_000
  }

  var connections: Int { server.map { Int(chttp_connections($0)) } ?? 0 }

  /// Throws if a server is not possible. Checked before anything is opened. If the loader's folders contain the
  /// library, it is not loaded.
  static func checkLibrary() throws(DriverError) {
    let failure = chttp_find()
    if failure != 0 { throw error(-failure) }
  }

  /// Loads the library, on any thread, so that ``init(listener:_:_:)`` needn't load it. Calls `dlopen`.
  static func load() { _ = chttp_load() }

  private static func error(_ number: Int32) -> DriverError {
    switch number {
    case ENOSYS:
      DriverError(
        .unsupported, cannot: "serve the monitor", reason: "built without the monitor",
        remedy: "apt install libmicrohttpd-dev, and build again.")
    case ENOENT:
      DriverError(
        .absent, of: CHTTP_LIBRARY, cannot: "serve the monitor", reason: "the monitor needs \(CHTTP_LIBRARY)",
        remedy: "apt install libmicrohttpd12.")
    default:
      DriverError(
        .failed, cannot: "serve the monitor", reason: "libmicrohttpd can't start (errno \(number))",
        remedy: "Raise the limit of open files (`ulimit -n`, LimitNOFILE= of a service).")
    }
  }
}

extension [HTTPHeader] {
  fileprivate func withCHeaders(_ body: (UnsafePointer<chttp_header>?, UInt32) -> Void) {
    let texts = flatMap { [[CChar]($0.name.utf8CString), [CChar]($0.value.utf8CString)] }
    let joined = texts.flatMap { $0 }
    joined.withUnsafeBufferPointer { joined in
      var headers: [chttp_header] = []
      var place = joined.baseAddress
      for index in indices {
        let value = place.map { $0 + texts[2 * index].count }
        headers.append(chttp_header(name: place, value: value))
        place = value.map { $0 + texts[2 * index + 1].count }
      }
      headers.withUnsafeBufferPointer { body($0.baseAddress, UInt32($0.count)) }
    }
  }
}
