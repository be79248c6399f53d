import CycleCore
import HardwareDrivers
import HardwareSimulation

/// What happens to a handful of devices: the application, the world and another program take turns.
struct Program: Equatable, CustomStringConvertible {
  enum Device: Equatable {
    case button(line: Int, isActiveLow: Bool, debounce: Duration)
    case `switch`(line: Int, isActiveLow: Bool, debounce: Duration)
    case encoder(lines: [Int])
    case led(line: Int, isActiveLow: Bool)
    case bar(lines: [Int])
    case relay(line: Int, isActiveLow: Bool)

    var lines: [Int] {
      switch self {
      case .button(let line, _, _), .switch(let line, _, _), .led(let line, _), .relay(let line, _): [line]
      case .encoder(let lines), .bar(let lines): lines
      }
    }

    var isInput: Bool {
      switch self {
      case .button, .switch, .encoder: true
      case .led, .bar, .relay: false
      }
    }
  }

  enum Step: Equatable {
    /// The application shows something else: each output's bit, or a bar's number of lamps.
    case show([Int])
    /// The world drives an input's line.
    case drive(line: Int, Level)
    /// The line changes so often, as fast as it can.
    case bounce(line: Int, times: Int)
    case unplug
    case plug
    /// Another program tries to take a line, and keeps it; it gives it back with the next step of its kind.
    case takeOrGive(line: Int)
    /// The application ends and starts anew.
    case restart
  }

  /// How long a contact that is debounced has to be stable.
  static let shortestDebounce = Duration.milliseconds(3)

  var devices: [Device]
  var steps: [Step]

  var inputLines: [Int] { devices.filter(\.isInput).flatMap(\.lines) }
  var outputLines: [Int] { devices.filter { !$0.isInput }.flatMap(\.lines) }

  var description: String {
    (devices.map { "  device \($0)" } + steps.map { "  step   \($0)" }).joined(separator: "\n")
  }

  /// A program from a seed, the same one every time.
  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var free = Array(0..<20).shuffled(using: &random)
    func take(_ count: Int) -> [Int] {
      defer { free.removeFirst(count) }
      return Array(free.prefix(count))
    }
    devices = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      let isActiveLow = Bool.random(using: &random)
      let debounce: Duration = Bool.random(using: &random) ? .zero : Self.shortestDebounce
      return switch Int.random(in: 0..<6, using: &random) {
      case 0: .button(line: take(1)[0], isActiveLow: isActiveLow, debounce: debounce)
      case 1: .switch(line: take(1)[0], isActiveLow: isActiveLow, debounce: debounce)
      case 2: .encoder(lines: take(2))
      case 3: .led(line: take(1)[0], isActiveLow: isActiveLow)
      case 4: .bar(lines: take(Int.random(in: 1...4, using: &random)))
      default: .relay(line: take(1)[0], isActiveLow: isActiveLow)
      }
    }
    steps = []
    var isPlugged = true
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let input = inputLines.randomElement(using: &random)
      if !isPlugged, Int.random(in: 0..<3, using: &random) == 0 {
        steps.append(.plug)
        isPlugged = true
        continue
      }
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<7:
        if let input { steps.append(.drive(line: input, Bool.random(using: &random) ? .high : .low)) }
      case 7..<10:
        // More than the first generation's queue holds, now and then.
        let most = Bool.random(using: &random) ? 9 : 40
        if let input { steps.append(.bounce(line: input, times: Int.random(in: 2...most, using: &random))) }
      case 10..<16: steps.append(.show(devices.map { _ in Int.random(in: 0...4, using: &random) }))
      case 16: steps.append(.takeOrGive(line: (inputLines + outputLines).randomElement(using: &random) ?? 0))
      case 17: steps.append(.restart)
      default:
        if isPlugged { steps.append(.unplug) }
        isPlugged = false
      }
    }
  }
}
