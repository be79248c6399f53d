/// The progress of a replay.
struct ReplayProgress {
  /// The names of the recording's lenses.
  let lenses: [String]
  /// The number of the application's lens for each of these names; -1 if there is none.
  private let numbers: [Int]
  /// The number of frames so far.
  var frames = 1
  /// The number of causes that were played.
  var causes = 0
  /// The number of records missing in the recording.
  private(set) var lost = 0
  /// Whether the replay continues at the next whole frame: at the beginning, and after a hole.
  private(set) var isInHole = true

  init(_ header: RecordingHeader, lenses: [String]) {
    self.lenses = header.lenses.map(\.name)
    // Lenses with the same name are matched in their order.
    var numbersOfNames = Dictionary(grouping: lenses.indices.reversed()) { lenses[$0] }
    numbers = header.lenses.map { lens in numbersOfNames[lens.name]?.popLast() ?? -1 }
  }

  mutating func begin(holeOf count: Int) {
    lost += count
    isInHole = true
  }

  /// Ends a hole, if there is one.
  ///
  /// - Returns: whether the application must take the frame from the recording. It can't make the frame after a hole.
  ///   It can't make the first frame either, which depends on the states in which hardware was found.
  mutating func endHole() -> Bool {
    defer { isInHole = false }
    return isInHole
  }

  /// Returns the number of the application's lens of this name.
  func lens(called name: String) throws(RecordingTextFault) -> Int {
    guard let place = lenses.firstIndex(of: name), numbers[place] >= 0 else {
      throw RecordingTextFault(
        "the application has no lens \"\(name)\"; play the edits with the application that they were made for")
    }
    return numbers[place]
  }

  /// Returns the number of the application's lens to which a record belongs.
  func lens(of line: ParsedRecordingLine) throws(RecordingTextFault) -> Int {
    guard numbers.indices.contains(line.lens) else {
      throw RecordingTextFault("lens \(line.lens) is not one of the recording's \(numbers.count)")
    }
    guard numbers[line.lens] >= 0 else {
      throw RecordingTextFault(
        "the application has no lens \"\(lenses[line.lens])\"; replay the recording with the application that made it")
    }
    return numbers[line.lens]
  }
}
