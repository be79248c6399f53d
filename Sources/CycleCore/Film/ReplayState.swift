/// How far a replay has come.
struct ReplayState {
  /// The names of the film's lenses.
  let lenses: [String]
  /// For each of them the number of the application's lens of this name; -1 where there is none.
  private let numbers: [Int]
  /// How many frames there were.
  var frames = 1
  /// How many causes have been played.
  var causes = 0
  /// How many records the film lacks.
  private(set) var lost = 0
  /// Whether the next whole frame is where to go on: at the beginning, and behind a hole.
  private(set) var isInHole = true

  init(_ header: FilmHeader, lenses: [String]) {
    self.lenses = header.lenses.map(\.name)
    // Of several lenses of one name each is its own.
    var numbersOfNames = Dictionary(grouping: lenses.indices.reversed()) { lenses[$0] }
    numbers = header.lenses.map { lens in numbersOfNames[lens.name]?.popLast() ?? -1 }
  }

  mutating func begin(holeOf count: Int) {
    lost += count
    isInHole = true
  }

  /// - Returns: whether the application doesn't have that frame by itself. It hasn't the first one either: that is made of
  ///   what hardware was found to be.
  mutating func endHole() -> Bool {
    defer { isInHole = false }
    return isInHole
  }

  /// The number of the application's lens of this name.
  func lens(called name: String) throws(FilmFault) -> Int {
    guard let place = lenses.firstIndex(of: name), numbers[place] >= 0 else {
      throw FilmFault(
        "the application has no lens \"\(name)\"; play the edits with the application that they were made for")
    }
    return numbers[place]
  }

  /// The number of the application's lens that a record is about.
  func lens(of line: FilmLine) throws(FilmFault) -> Int {
    guard numbers.indices.contains(line.lens) else {
      throw FilmFault("lens \(line.lens) is not one of the recording's \(numbers.count)")
    }
    guard numbers[line.lens] >= 0 else {
      throw FilmFault(
        "the application has no lens \"\(lenses[line.lens])\"; replay the recording with the application that made it")
    }
    return numbers[line.lens]
  }
}
