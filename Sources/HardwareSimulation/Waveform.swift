import CycleCore
import HardwareDrivers

/// The levels of a line, or the events of a driver, over time as text: one character per step of time.
///
///     line    ___#_########____      # high, _ low, - not driven, | changed within the step
///     events  .......P.......R.      # any mark, . nothing, + more than one
///
/// A waveform made from text drives a line; a waveform made from a line's changes or from marks is compared with text:
///
///     let wave = Waveform("###____#_###", step: .milliseconds(1))
///     wave.drive(chip.line("GPIO17"), on: bench)
///     try bench.advance(by: wave.length)
///     #expect(Waveform(of: chip.line("GPIO5"), steps: 12, step: .milliseconds(1)).text == "____########")
public struct Waveform: Equatable, Sendable, CustomStringConvertible {
  /// One character per step.
  public let text: String
  /// The length of a step; more than zero.
  public let step: Duration

  /// Makes a waveform of text, to drive a line or to compare another waveform with.
  ///
  /// - Parameters:
  ///   - text: `#`, `_` and `-`; blanks are dropped. Other characters are for comparisons only: ``drive(_:on:)`` traps
  ///     on them.
  ///   - step: the length of each character, more than zero.
  public init(_ text: String, step: Duration) {
    precondition(step > .zero, "a step of a waveform takes time")
    self.text = text.filter { $0 != " " }
    self.step = step
  }

  /// Draws the levels of a line.
  ///
  /// The character of a step is the level at its beginning. It is `|` if the line changed within the step, which is
  /// then too long to draw the change, and `?` if the level at that time isn't known any more.
  ///
  /// - Parameters:
  ///   - beginning: the moment at which the first step begins.
  ///   - steps: the number of steps to draw.
  ///   - step: the length of a step.
  ///   - line: the line to draw.
  public init(of line: SimulatedLine, from beginning: Moment = .zero, steps: Int, step: Duration) {
    var text = ""
    var changes = line.changes[...]
    var level: Level?
    for number in 0..<max(0, steps) {
      let start = beginning + .nanoseconds(step.wholeNanoseconds * Int64(number))
      while let first = changes.first, first.moment <= start { level = changes.removeFirst().level }
      let next = start + step
      if let first = changes.first, first.moment < next {
        text += "|"
      } else {
        text += level.map { $0 == .high ? "#" : "_" } ?? "?"
      }
    }
    self.init(text, step: step)
  }

  /// Draws marks at their moments, for example one for each event of a driver.
  ///
  /// A mark is drawn in the step that contains its moment; marks before the first or after the last step are dropped.
  public init(
    marks: [(moment: Moment, mark: Character)], from beginning: Moment = .zero, steps: Int, step: Duration
  ) {
    var places = [Character](repeating: ".", count: max(0, steps))
    for (moment, mark) in marks where moment >= beginning {
      let place = Int((moment - beginning).wholeNanoseconds / step.wholeNanoseconds)
      guard place < places.count else { continue }
      places[place] = places[place] == "." ? mark : "+"
    }
    self.init(String(places), step: step)
  }

  public var description: String { text }

  /// The length of the wave.
  public var length: Duration { step * text.count }

  /// Schedules the levels of this waveform on the bench, beginning now. Afterwards the line stays driven as in the last
  /// step.
  public func drive(_ line: SimulatedLine, on bench: Bench) {
    let beginning = bench.now
    var previous: Character?
    for (number, character) in text.enumerated() where character != previous {
      previous = character
      let level = Self.level(character)
      bench.plan(at: beginning + step * number) { line.drive(level) }
    }
  }

  private static func level(_ character: Character) -> Level? {
    switch character {
    case "#": return .high
    case "_": return .low
    case "-": return nil
    default: preconditionFailure("a waveform drives a line with #, _ and -, not with \(character)")
    }
  }
}
