import CycleCore

/// The newest edited recordings of the page, within a number and a size.
struct EditedRecordings {
  static let mostTakes = 16
  static let mostEdits = 1_000
  /// The maximum number of bytes of all edited recordings.
  static let mostBytes = 32 << 20

  struct Entry {
    /// The recording to which the edits apply.
    var source: RecordingExcerpts
    var edits: [String]
    var played: PlayedRecording

    var size: Int { source.bytes.count + played.recording.count }
  }

  private var takes: [(id: Int, take: Entry)] = []
  private var count = 0

  /// Adds an edited recording; removes the oldest ones if it does not fit. Returns its number.
  mutating func add(_ take: Entry) -> Int {
    count += 1
    takes.append((count, take))
    while takes.count > Self.mostTakes || (takes.count > 1 && takes.reduce(0) { $0 + $1.take.size } > Self.mostBytes) {
      takes.removeFirst()
    }
    return count
  }

  func take(_ id: Int) throws(MonitorRefusal) -> Entry {
    guard let take = takes.first(where: { $0.id == id })?.take else {
      throw MonitorRefusal(404, "edit \(id) does not exist any more; make it again")
    }
    return take
  }
}
