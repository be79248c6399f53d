/// A record of a film after which a replay has a different frame.
package struct FilmedCause {
  private let place: String
  private let line: FilmLine
  private let name: String
  /// The changed numbers of a row in the film, by column; nil for other frames.
  private let changes: [Int: Int]?

  /// - Parameter name: the lens's name; nil for a whole frame.
  package init(_ film: Film, _ line: FilmLine, name lens: String?) {
    place = "\(film.name):\(film.lineNumber)"
    self.line = line
    let text = FilmReader(film.text).text(in: line.value)
    let value = String(decoding: text.prefix(200), as: UTF8.self) + (text.count > 200 ? "..." : "")
    switch line.kind {
    case .trouble: name = "fault \(line.number) of \(lens ?? "a lens"): \(value)"
    case .injection: name = "event \(line.number), put in, of \(lens ?? "a lens"): \(value)"
    case .keyframe: name = "nothing: it is a whole frame of the recording"
    default: name = "event \(line.number) of \(lens ?? "a lens"): \(value)"
    }
    changes = line.rowChanges(in: film.text).map { Dictionary($0) { _, last in last } }
  }

  /// - Parameters:
  ///   - now: the current frame of the replay, and its number.
  ///   - before: the frame before the cause.
  ///   - film: the film's frame after the cause, if the film contains it as a whole frame.
  package func difference(from now: FrameText, number: Int, before: FrameText, film: FrameText?) -> ReplayDifference {
    ReplayDifference(
      place: place, frame: line.kind == .keyframe ? line.number : max(line.frame, number),
      moment: .nanoseconds(line.time), cause: name,
      differences: differences(from: now, number: number, before: before, film: film))
  }

  private func differences(from now: FrameText, number: Int, before: FrameText, film: FrameText?) -> [String] {
    // A frame that only the film or only the replay has made is compared with the frame before.
    let isNewInFilm = line.digest != nil
    guard isNewInFilm else {
      return ["the recording has no new frame here"]
        + now.differences(from: before) { "\($0)  recorded \($2)  now \($1)" }
    }
    var found = film?.digest == line.digest ? film : nil
    if found == nil { found = changes.map { before.changed($0) } ?? now.search(for: line.digest!, near: before) }
    guard let film = found else {
      let digest = now.digest == before.digest && number != line.frame ? "nothing has changed" : "\(now.digest)"
      return ["digest  recorded \(line.digest!)  now \(digest)"]
    }
    return now.differences(from: film) { "\($0)  recorded \($2)  now \($1)" }
  }
}
