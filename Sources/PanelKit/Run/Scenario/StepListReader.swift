import PanelLanguage
import Terminal

/// Reads the steps of a scenario file, and expands each `repeat`.
struct StepListReader {
  /// The highest number of steps in all cases of a file together, with the steps of each round counted.
  static let mostSteps = 100_000
  static let mostRounds = 1000
  static let deepest = 3

  static let repetition = FieldSet(
    name: "a repeat",
    keys: [
      Key(name: "times", takes: "a whole number 1...1000", isRequired: true, shape: .text),
      Key(
        name: "steps", takes: "a list of steps: - press: bell", isRequired: true,
        shape: .list(of: .part(.step), count: 1...Int.max)),
    ])

  let problems: ProblemList
  private let place: ScenarioContext
  private var reader: StepReader
  /// The number of steps that may still be read.
  private(set) var room: Int

  /// - Parameters:
  ///   - names: the names of the panel for which the steps are read, up to the first `reload`.
  ///   - problems: receives the problems of the steps.
  ///   - place: the folder of the files that steps name.
  ///   - room: the number of steps that may be read.
  init(names: Names, problems: ProblemList, place: ScenarioContext = ScenarioContext(), room: Int = Self.mostSteps) {
    self.problems = problems
    self.place = place
    self.room = room
    reader = StepReader(names: names, problems: problems)
  }

  mutating func steps(_ field: Field) -> [Scenario.PlacedStep] { steps(field, depth: 0) }

  private mutating func steps(_ field: Field, depth: Int) -> [Scenario.PlacedStep] {
    guard let items = problems.items(field) else { return [] }
    if items.isEmpty { problems.add(field.position, "there are no steps; write one: - press: bell") }
    var steps: [Scenario.PlacedStep] = []
    for item in items {
      guard steps.count <= room else { break }
      guard let entry = reader.entry(item), let word = reader.word(entry) else { continue }
      if word.form == .block {
        steps += rounds(entry, depth: depth + 1)
      } else if word.form == .file {
        guard depth == 0 else {
          problems.add(entry.position, "\(quoted(word.word)) can't be inside \"repeat\"; write it outside")
          continue
        }
        if let step = reload(entry, word) { steps.append(step) }
      } else if let step = reader.step(entry, word) {
        steps.append(step)
      }
    }
    guard depth == 0 else { return steps }
    room -= steps.count
    if room < 0 {
      problems.add(
        field.position, "more than \(Self.mostSteps) steps with all rounds and cases; write several scenarios")
      return []
    }
    return steps
  }

  /// Reads the panel file that a step names. The following steps are read for that panel.
  private mutating func reload(_ entry: YAMLNode.Entry, _ word: StepWord) -> Scenario.PlacedStep? {
    let field = Field(key: word.key, position: entry.position, node: entry.value)
    guard let name = problems.text(field) else { return nil }
    let path = name.hasPrefix("/") || place.folder.isEmpty ? name : "\(place.folder)/\(name)"
    do throws(Problems) {
      let panel = try PanelFile.read(path: path, kinds: place.kinds, checkSound: SoundFileCheck.finding)
      reader = StepReader(names: Names(panel), problems: problems)
      return .init(step: .reload(ReloadedPanel(file: path, panel: panel)), position: entry.position)
    } catch {
      problems.add(field.node.position, "the panel can't be read: \(error.lines[0])")
      return nil
    }
  }

  /// Reads the steps of all rounds.
  private mutating func rounds(_ entry: YAMLNode.Entry, depth: Int) -> [Scenario.PlacedStep] {
    guard depth <= Self.deepest else {
      problems.add(entry.position, "\"repeat\" is nested more than \(Self.deepest - 1) levels deep; use fewer levels")
      return []
    }
    guard let fields = problems.fields(entry.value, Self.repetition, at: entry.position) else { return [] }
    let times = problems.whole(fields["times"], in: 1...Self.mostRounds)
    guard let field = fields["steps"] else { return [] }
    let steps = steps(field, depth: depth)
    guard let times else { return [] }
    guard steps.count <= Self.mostSteps / times else {
      problems.add(
        entry.position,
        "\(times) rounds of \(steps.count) steps; all rounds of a file have at most \(Self.mostSteps) steps")
      return []
    }
    return (1...times).flatMap { round in
      steps.map { step in
        var step = step
        step.round = ["round \(round) of \(times)", step.round].compactMap { $0 }.joined(separator: ", ")
        return step
      }
    }
  }
}
