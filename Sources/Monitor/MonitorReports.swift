import CycleCore

extension Monitor {
  /// The answer to `GET /api/panel`.
  func panelAnswer(_ access: Access) -> HTTPAnswer {
    var writer = FilmWriter()
    writer.beginObject()
    writer.key(plain: "api")
    writer.write(1)
    writer.key(plain: "run")
    writer.write(run)
    writer.key(plain: "control")
    writer.write(access == .control)
    writer.key(plain: "simulated")
    writer.write(monitored.isSimulated)
    writer.key(plain: "newest")
    writer.write(ring.newestCause)
    writer.key(plain: "frame")
    writer.write(monitored.application.frameNumber)
    if let header = ring.header {
      writer.key(plain: "film")
      header.withUnsafeBytes { writer.write(written: $0) }
    }
    writer.key(plain: "account")
    writeAccount(to: &writer)
    if let description {
      writer.key(plain: "panel")
      description.withUnsafeBytes { writer.write(written: $0) }
    }
    writer.endObject()
    return .json(writer)
  }

  func accountAnswer() -> HTTPAnswer {
    var writer = FilmWriter()
    writeAccount(to: &writer)
    return .json(writer)
  }

  /// What of the application can be drawn; nil where nothing is known of it.
  func describeApplication() -> [UInt8]? {
    var writer = FilmWriter()
    return monitored.describe(to: &writer) ? Array(writer.written) : nil
  }

  /// Writes the accounts of lanes and ring, and what watching costs.
  func writeAccount(to writer: inout FilmWriter) {
    writer.beginObject()
    writer.key(plain: "lenses")
    writer.beginArray()
    for account in monitored.application.accounts {
      writer.beginArray()
      for count in [account.offered, account.delivered, account.lost, account.pending] { writer.write(count) }
      writer.endArray()
    }
    writer.endArray()
    writer.key(plain: "ring")
    writeRing(to: &writer)
    writer.key(plain: "cost")
    writer.beginObject()
    writer.key(plain: "cpu")
    writer.write(cost.share)
    writer.key(plain: "longest")
    writer.write(cost.longest.wholeNanoseconds)
    writer.key(plain: "rss")
    writer.write(cost.residentBytes)
    writer.endObject()
    writer.key(plain: "watchers")
    writer.write(watchers.count)
    writer.key(plain: "events")
    writer.write(monitored.recorder.offered)
    writer.key(plain: "frames")
    writer.write(monitored.application.frameNumber)
    writer.key(plain: "now")
    writer.write(monitored.recorder.elapsed(at: monitored.application.clock))
    writer.endObject()
  }

  private func writeRing(to writer: inout FilmWriter) {
    let account = ring.account
    writer.beginObject()
    writer.key(plain: "bytes")
    writer.write(ring.bytesKept)
    writer.key(plain: "capacity")
    writer.write(ring.capacity)
    writer.key(plain: "offered")
    writer.write(account.offered)
    writer.key(plain: "written")
    writer.write(account.written)
    writer.key(plain: "lost")
    writer.write(account.lost)
    writer.key(plain: "pending")
    writer.write(account.pending)
    writer.endObject()
  }
}
