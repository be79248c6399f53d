import CycleCore

extension Monitor {
  /// Returns the answer to `GET /api/panel`.
  func panelAnswer(_ access: Access) -> HTTPAnswer {
    var writer = JSONWriter()
    writer.beginObject()
    writer.field("api", 1)
    writer.field("run", run)
    writer.field("control", access == .control)
    writer.field("simulated", monitored.isSimulated)
    writer.field("newest", ring.newestCause)
    writer.field("frame", monitored.application.frameNumber)
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
    var writer = JSONWriter()
    writeAccount(to: &writer)
    return .json(writer)
  }

  /// Writes the accounts of the lanes and the ring, and the cost of watching.
  func writeAccount(to writer: inout JSONWriter) {
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
    writer.field("cpu", cost.share)
    writer.field("longest", cost.longest.wholeNanoseconds)
    writer.field("rss", cost.residentBytes)
    writer.endObject()
    writer.field("watchers", watchers.count)
    writer.field("events", monitored.recorder.offered)
    writer.field("frames", monitored.application.frameNumber)
    writer.field("now", monitored.recorder.elapsed(at: monitored.application.clock))
    writer.endObject()
  }

  private func writeRing(to writer: inout JSONWriter) {
    let account = ring.account
    writer.beginObject()
    writer.field("bytes", ring.bytesKept)
    writer.field("capacity", ring.capacity)
    writer.field("offered", account.offered)
    writer.field("written", account.written)
    writer.field("lost", account.lost)
    writer.field("pending", account.pending)
    writer.endObject()
  }
}
