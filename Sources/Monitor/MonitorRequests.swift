import CycleCore

extension Monitor: HTTPHandler {
  func begin(_ exchange: HTTPExchange) {
    do throws(MonitorRefusal) {
      admitted[exchange] = try admit(RequestHead(exchange))
    } catch {
      exchange.answer(error.answer)
    }
  }

  /// Returns what a request may do, based on its headers.
  func admit(_ head: RequestHead) throws(MonitorRefusal) -> (route: Route, access: Access, lastEvent: Int?) {
    let (route, access) = try rules.check(head)
    if case .events = route, watchers.count >= Self.mostWatchers {
      throw MonitorRefusal(503, "\(Self.mostWatchers) watch already; close one of them")
    }
    if route.isCommand, !commands.take(at: TimerDescriptor.now) {
      throw MonitorRefusal(429, "more than \(Self.commandsPerSecond) commands in a second; wait")
    }
    return (route, access, head.lastEventID.flatMap { $0.utf8.count <= 16 ? Int($0) : nil })
  }

  func handle(_ exchange: HTTPExchange, _ body: UnsafeBufferPointer<UInt8>) {
    guard let (route, access, lastEvent) = admitted.removeValue(forKey: exchange) else {
      return exchange.answer(MonitorRefusal(400, "the request can't be read").answer)
    }
    if case .events(let from) = route { return beginStream(exchange, from: lastEvent.map { $0 + 1 } ?? from) }
    let reply = reply(to: route, access, body)
    switch reply {
    case .now(let answer): send(answer, to: exchange)
    case .later(let job): answerLater(exchange, job)
    }
  }

  /// Sends an answer. A long body is sent block by block, one per turn, so that it is never copied as a whole.
  private func send(_ answer: HTTPAnswer, to exchange: HTTPExchange) {
    guard answer.body.count > Self.longestAtOnce else { return exchange.answer(answer) }
    bodies[exchange] = LongBody(bytes: answer.body)
    exchange.stream(answer.headers, size: answer.body.count)
  }

  func read(_ exchange: HTTPExchange, into bytes: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    if let count = bodies[exchange]?.read(into: bytes) { return count }
    guard let stream = watchers[exchange] else { return nil }
    if !stream.hasOutput, stream.isEnded { return nil }
    if !stream.hasOutput, owed.remove(exchange) != nil {
      var writer = JSONWriter()
      writeAccount(to: &writer)
      watchers[exchange]?.add("account", json: writer.written)
    }
    let count = watchers[exchange]?.read(into: bytes) ?? 0
    // All output was read: lines that arrived since then are the next batch.
    if count == 0 { awaitNews() }
    return count
  }

  func end(_ exchange: HTTPExchange) {
    admitted.removeValue(forKey: exchange)
    waiting = waiting.filter { $0.value != exchange }
    owed.remove(exchange)
    bodies.removeValue(forKey: exchange)
    if watchers.removeValue(forKey: exchange) != nil { awaitNews() }
  }

  private func beginStream(_ exchange: HTTPExchange, from: Int?) {
    // Several watchers may have been admitted before.
    guard watchers.count < Self.mostWatchers else {
      return exchange.answer(MonitorRefusal(503, "\(Self.mostWatchers) watch already; close one of them").answer)
    }
    watchers[exchange] = EventStream(of: ring, from: from, run: run, at: TimerDescriptor.now)
    exchange.stream(
      HTTPAnswer.commonHeaders + [
        HTTPHeader("Content-Type", "text/event-stream"), HTTPHeader("X-Accel-Buffering", "no"),
      ])
    awaitNews()
  }

  private func answerLater(_ exchange: HTTPExchange, _ work: @escaping Work) {
    let number = worker.add {
      let answer = work()
      return { monitor, number in
        // If the client has disconnected, the command is not done.
        if let exchange = monitor.waiting.removeValue(forKey: number) { monitor.send(answer(monitor), to: exchange) }
      }
    }
    guard let number else {
      return exchange.answer(MonitorRefusal(409, "other requests are worked on; try again").answer)
    }
    waiting[number] = exchange
    exchange.wait()
  }

  // MARK: - Replies

  /// Work on the worker's thread. Its result makes the answer on the cycle's thread.
  typealias Work = @Sendable () -> @Sendable (Monitor) -> HTTPAnswer

  enum Reply {
    case now(HTTPAnswer)
    case later(Work)
  }

  /// Returns the reply to an allowed request.
  func reply(to route: Route, _ access: Access, _ body: UnsafeBufferPointer<UInt8>) -> Reply {
    do throws(MonitorRefusal) {
      switch route {
      case .page: return .now(pageAnswer())
      case .panel: return .now(panelAnswer(access))
      case .account: return .now(accountAnswer())
      case .events: return .now(MonitorRefusal(400, "a stream is not a single reply").answer)
      case .recording(let from, let to):
        return later { recording in .content("application/x-ndjson", recording.lines(from: from, to: to)) }
      case .download:
        return later { recording in
          var answer = HTTPAnswer.content("application/x-ndjson", recording.bytes)
          answer.headers.append(HTTPHeader("Content-Disposition", "attachment; filename=\"panel.recording\""))
          return answer
        }
      case .frame(let number): return frame(number, of: nil)
      case .inject: return .now(try inject(CommandBody(body, keys: ["lens", "event", "action"])))
      case .world: return .now(try perform(CommandBody(body, keys: ["step"])))
      case .show: return try show(CommandBody(body, keys: ["frame", "set"]))
      case .note: return .now(try note(CommandBody(body, keys: ["event", "text"])))
      case .approve: return .now(try approve(CommandBody(body, keys: ["event", "approved"])))
      case .save: return try save(CommandBody(body, keys: ["as", "from", "to", "take"]))
      case .takes: return try makeTake(CommandBody(body, keys: ["edits"]))
      case .takeEdits(let take): return try editTake(take, CommandBody(body, keys: ["edits"]))
      case .resimulate(let take): return try resimulate(take, CommandBody(body, keys: []))
      case .takeRecording(let take):
        return .now(.content("application/x-ndjson", try takes.take(take).played.markedRecording))
      case .takeFrame(let take, let number):
        return frame(number, of: RecordingExcerpts(bytes: try takes.take(take).played.recording))
      }
    } catch {
      return .now(error.answer)
    }
  }

  /// Makes an answer from the ring's recording, on the worker's thread.
  private func later(_ answer: @escaping @Sendable (RecordingExcerpts) -> HTTPAnswer) -> Reply {
    .later { [ring] in
      let answer = answer(RecordingExcerpts(bytes: ring.recording() ?? []))
      return { _ in answer }
    }
  }

  /// Finds a frame on the worker's thread: in a recording, or by playing the recording.
  ///
  /// - Parameter recording: the recording; nil for the ring's.
  private func frame(_ number: Int, of recording: RecordingExcerpts?) -> Reply {
    .later { [ring, takes = monitored.takes] in
      let recording = recording ?? RecordingExcerpts(bytes: ring.recording() ?? [])
      let answer = Result { () throws(MonitorRefusal) in try Self.frameAnswer(number, recording, takes) }
      return { _ in
        switch answer {
        case .success(let answer): answer
        case .failure(let refusal): refusal.answer
        }
      }
    }
  }

  private static func frameAnswer(
    _ number: Int, _ recording: RecordingExcerpts, _ takes: (any MonitorRecordingEditor)?
  ) throws(MonitorRefusal) -> HTTPAnswer {
    let played = try takes?.frame(number, of: recording.bytes)
    guard let value = played?.value ?? recording.frame(number) else { throw noFrame(number) }
    var models = ""
    if let played { models = ",\"models\":[\(played.models.map { $0 ?? "null" }.joined(separator: ","))]" }
    return .content("application/json", Array("{\"frame\":\(number),\"value\":\(value)\(models)}".utf8))
  }

  static func noFrame(_ number: Int) -> MonitorRefusal {
    MonitorRefusal(
      404,
      "frame \(number) is not in memory any more, not yet, or not as a whole; GET /api/film.recording and replay it")
  }

  func pageAnswer() -> HTTPAnswer {
    var answer = HTTPAnswer.content("text/html; charset=utf-8", Self.page)
    let policy = [
      "default-src 'none'", "script-src '\(PageText.scriptDigest)'", "style-src '\(PageText.styleDigest)'",
      "connect-src 'self'", "img-src data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ]
    answer.headers += [
      HTTPHeader("Content-Encoding", "gzip"), HTTPHeader("Content-Security-Policy", policy.joined(separator: "; ")),
    ]
    return answer
  }

  /// Decodes the page from its text, on any thread, so that no turn has to do it.
  static func preparePage() { _ = page }

  private static let page = Base64.bytes(of: PageText.base64)
}

/// The body of an answer that is sent block by block.
struct LongBody {
  let bytes: [UInt8]
  private var taken = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Copies the next bytes into a block. Returns their number.
  mutating func read(into block: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let count = min(block.count, bytes.count - taken)
    _ = block.update(fromContentsOf: bytes[taken..<taken + count])
    taken += count
    return count
  }
}

/// Bytes as letters, digits, `+` and `/`: RFC 4648, section 4.
enum Base64 {
  /// Returns the bytes. Ignores characters outside the alphabet.
  static func bytes(of text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 3 / 4)
    var (bits, count): (UInt32, Int) = (0, 0)
    for character in text.utf8 {
      guard let value = value(of: character) else { continue }
      bits = bits << 6 | UInt32(value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return bytes
  }

  private static func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
