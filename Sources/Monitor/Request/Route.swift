/// The target of a request, from its method, path and query.
enum Route: Equatable {
  case page
  case panel
  /// - Parameter from: the first requested event; nil for all that are kept.
  case events(from: Int?)
  case recording(from: Int, to: Int)
  case download
  case frame(Int)
  case account
  case inject, world, show, note, approve, save
  case takes
  case takeEdits(Int)
  case resimulate(Int)
  case takeRecording(Int)
  case takeFrame(Int, frame: Int)

  var access: Access {
    switch self {
    case .page: .none
    case .inject, .world, .show: .control
    default: .watch
    }
  }

  /// Whether it has a body, and counts as a command.
  var isCommand: Bool {
    switch self {
    case .inject, .world, .show, .note, .approve, .save, .takes, .takeEdits, .resimulate: true
    default: false
    }
  }

  /// - Parameter target: the path and the query, as they were sent.
  init(_ method: String, _ target: String) throws(MonitorRefusal) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first.map(String.init) ?? ""
    // The page may be opened with any query, which has no meaning here.
    let query = try Query(parts.count == 2 && path != "/" ? parts[1] : "")
    let (route, expected) = try Self.route(path, query)
    guard method == expected else { throw MonitorRefusal(405, "\(path) accepts only \(expected)") }
    self = route
  }

  private static func route(_ path: String, _ query: Query) throws(MonitorRefusal) -> (Route, method: String) {
    switch path {
    case "/": return (.page, "GET")
    case "/api/panel": return (try query.none(.panel), "GET")
    case "/api/account": return (try query.none(.account), "GET")
    case "/api/events": return (.events(from: try query.number("from", only: ["from"])), "GET")
    case "/api/film":
      let names: Set<String> = ["from", "to"]
      let (from, to) = (try query.number("from", only: names), try query.number("to", only: names))
      return (.recording(from: from ?? 0, to: to ?? .max), "GET")
    case "/api/film.recording": return (try query.none(.download), "GET")
    case "/api/inject": return (try query.none(.inject), "POST")
    case "/api/world": return (try query.none(.world), "POST")
    case "/api/show": return (try query.none(.show), "POST")
    case "/api/note": return (try query.none(.note), "POST")
    case "/api/approve": return (try query.none(.approve), "POST")
    case "/api/save": return (try query.none(.save), "POST")
    case "/api/takes": return (try query.none(.takes), "POST")
    default: break
    }
    let words = path.split(separator: "/", omittingEmptySubsequences: false)
    if words.count == 4, words[1] == "api", words[2] == "frame", let number = Query.number(words[3]) {
      return (try query.none(.frame(number)), "GET")
    }
    if words.count == 5, words[1] == "api", words[2] == "takes", let take = Query.number(words[3]) {
      switch words[4] {
      case "edits": return (try query.none(.takeEdits(take)), "POST")
      case "rehearse": return (try query.none(.resimulate(take)), "POST")
      case "film": return (try query.none(.takeRecording(take)), "GET")
      default: break
      }
    }
    if words.count == 6, words[1] == "api", words[2] == "takes", let take = Query.number(words[3]), words[4] == "frame",
      let number = Query.number(words[5])
    {
      return (try query.none(.takeFrame(take, frame: number)), "GET")
    }
    throw MonitorRefusal(404, "there is no such thing here; docs/internals/monitor-protocol.md lists the requests")
  }
}

/// The part of a target after the question mark: names and numbers.
private struct Query {
  private var fields: [(name: String, value: Substring)] = []

  init(_ text: Substring) throws(MonitorRefusal) {
    guard !text.isEmpty else { return }
    for field in text.split(separator: "&", omittingEmptySubsequences: false) {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, fields.count < 8, !fields.contains(where: { $0.name == parts[0] }) else {
        throw MonitorRefusal(400, "a query is name=number, each name once")
      }
      fields.append((String(parts[0]), parts[1]))
    }
  }

  /// Returns a count from 0 to 2^53; nil for another text.
  static func number(_ text: Substring) -> Int? {
    guard (1...16).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text).flatMap { $0 <= 1 << 53 ? $0 : nil }
  }

  func none(_ route: Route) throws(MonitorRefusal) -> Route {
    guard fields.isEmpty else { throw MonitorRefusal(400, "this request has no query") }
    return route
  }

  func number(_ name: String, only names: Set<String>) throws(MonitorRefusal) -> Int? {
    guard fields.allSatisfy({ names.contains($0.name) }) else {
      throw MonitorRefusal(400, "the query may have \(names.sorted().joined(separator: " and ")) only")
    }
    guard let field = fields.first(where: { $0.name == name }) else { return nil }
    guard let number = Self.number(field.value) else { throw MonitorRefusal(400, "\(name) is a number from 0 on") }
    return number
  }
}
