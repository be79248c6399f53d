/// Computes the digest of a replay from the lines that it writes.
final class ReplayOutput: FilmSink {
  @exclusivity(unchecked) private(set) var digest = FilmDigest()
  /// Whether lines are dropped.
  @exclusivity(unchecked) var isMuted = false
  private let sink: (any FilmSink)?

  /// - Parameter sink: also gets the lines; nil for none.
  init(also sink: (any FilmSink)? = nil) {
    self.sink = sink
  }

  func take(_ lines: UnsafeRawBufferPointer, as part: FilmPart) -> Bool {
    if isMuted { return true }
    digest.add(lines)
    return sink?.take(lines, as: part) ?? true
  }

  func flush(_ occasion: FilmFlush) { sink?.flush(occasion) }

  var account: FilmAccount { sink?.account ?? FilmAccount() }
}
