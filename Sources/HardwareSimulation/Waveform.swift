import CycleCore
import HardwareDrivers

/// Behaviour over time as text: one character for each step of time.
///
///     line    ___#_########____      # high, _ low, - let go, | changed within the step
///     events  .......P.......R.      . nothing, + more than one
///
/// Read, it drives a line; drawn, it shows what a line or a driver did:
///
///     let wave = Waveform("###____#_###", step: .milliseconds(1))
///     wave.drive(chip.line("GPIO17"), on: bench)
///     try bench.advance(by: wave.length)
///     #expect(Waveform(of: chip.line("GPIO5"), steps: 12, step: .milliseconds(1)).text == "____########")
public struct Waveform: Equatable, Sendable, CustomStringConvertible {
  /// One character a step.
  public let text: String
  /// How long a step is; more than zero.
  public let step: Duration

  /// A wave to drive a line with, or to compare one with.
  ///
  /// - Parameters:
  ///   - text: `#`, `_` and `-`; blanks are left out. Anything else is a mistake in the test: it traps when the wave drives a line.
  ///   - step: how long each character lasts, more than zero.
  public init(_ text: String, step: Duration) {
    precondition(step > .zero, "a step of a waveform takes time")
    self.text = text.filter { $0 != " " }
    self.step = step
  }

  /// Draws what a line did.
  ///
  /// A step shows the level at its beginning, or `|` if the line changed after that and before the next one: then the steps
  /// are too long to see it.
  ///
  /// - Parameters:
  ///   - beginning: when the first step begins.
  ///   - steps: how many steps to draw.
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

  /// Draws marks at their moments: events of a driver, say.
  ///
  /// A mark belongs to the step that its moment lies in; marks outside of the drawing are left out.
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

  /// How long the wave takes.
  public var length: Duration { step * text.count }

  /// Has the world drive the line with this wave from now on, as time passes on the bench. It stays as the last step leaves it.
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
