/// Computes the digest of a replay from the lines that it writes.
final class DigestingSink: RecordingSink {
  @exclusivity(unchecked) private(set) var digest = FNV1aHash()
  /// Whether lines are dropped.
  @exclusivity(unchecked) var isMuted = false
  private let sink: (any RecordingSink)?

  /// - Parameter sink: also gets the lines; nil for none.
  init(also sink: (any RecordingSink)? = nil) {
    self.sink = sink
  }

  func take(_ lines: UnsafeRawBufferPointer, as part: RecordingPart) -> Bool {
    if isMuted { return true }
    digest.add(lines)
    return sink?.take(lines, as: part) ?? true
  }

  func flush(_ occasion: RecordingFlush) { sink?.flush(occasion) }

  var account: RecordingAccount { sink?.account ?? RecordingAccount() }
}
