import CycleCore
import HardwareDrivers
import HardwareSimulation
import PanelLanguage
import PanelNetwork
import PanelProof
import PanelRun

/// Generates random steps for a panel: operations of its inputs, waits for times in its file, unplugged hardware, and
/// times to which its clock is set.
struct StepGenerator {
  private let panel: PanelDefinition
  private let times: NamedTimes
  private let operated: [Int]
  private let hardware: [PluggableHardware]
  /// The ports of the panel's devices. Sensors are unplugged one by one.
  private let ports: [String]
  /// For each sensor, the numbers at and next to which a condition changes.
  private var readings: [Int: [Int]] = [:]
  /// The buttons of each chord, which are pressed at the same time.
  private var chords: [[Int]] = []
  /// The clicks that enter each list with which a condition compares.
  private var typed: [[Step]] = []
  /// The limit of a run's length: a pressed keypad key or a fading lamp takes long to simulate.
  private let longestRun: Duration
  /// One second more than the longest hold. Before longer waits, the buttons are released in most cases.
  private let longestPress: Duration
  /// The clock; nil for a panel without times of day.
  private var clock: ExploredClock?
  /// Whether a step can unplug the clock: no chip has its name.
  private let canUnplugClock: Bool

  /// Whether the panel keeps values. Then one in ``restarts`` steps restarts it.
  private let keeps: Bool
  private static let restarts = 30
  /// The numbers to which remote commands set values: those at and next to which a condition changes, and the ends of the
  /// range.
  private var settings: [(value: Int, numbers: [Int])] = []
  /// The share of remote events and settings on a panel that accepts them: one in this number of steps.
  private static let requests = 8
  /// The share of steps of the clock on a panel with times of day: one in this number of steps.
  private static let clockSteps = 8
  /// The limit of the length of one run in four on a panel with times of day, for its long waits.
  private static let longestRunOfClock = NamedTimes.longest * 2

  /// The relative frequencies of the steps.
  private enum Weight {
    static let (wait, operate, plug, unplug, bounce) = (40, 52, 4, 2, 2)
    static let all = wait + operate + plug + unplug + bounce
  }

  init(of panel: PanelDefinition) {
    self.panel = panel
    keeps = panel.keptCount > 0
    times = NamedTimes(of: panel)
    longestRun = max(.seconds(120), (times.times.last ?? .zero) * 2)
    // Steps of its own set the clock.
    operated = panel.inputs.indices.filter {
      type(of: panel.inputs[$0].device).control != .none && panel.clockPart(of: $0) == nil
    }
    let holds = panel.inputs.map { input in
      (input.device.derivation?.ofChord)?.hold ?? input.device.gesture.flatMap { ButtonModel($0).spans.max() } ?? .zero
    }
    longestPress = .seconds(1) + (holds.max() ?? .zero)
    chords = panel.inputs.compactMap { ($0.device.derivation?.ofChord)?.buttons }
    let parts: [PluggableHardware] =
      panel.hasChipsLostAlone
      ? [.own] + panel.chips.indices.filter { panel.chips[$0].kind.isLostAlone }.map { .chip($0) } : [.gpio]
    hardware = parts + (panel.sounds.isEmpty ? [] : [.audio]) + (panel.mqtt == nil ? [] : [.network])
    let names = Names(panel)
    ports = names.portWords.filter { $0 != NumberSourcePort.name && $0 != ClockPort.name }
    canUnplugClock = names.hardware(ClockPort.name) == nil
    let conditions = panel.conditions + panel.states.flatMap(\.show).flatMap(\.rule.conditions)
    for input in operated + (panel.clock?.inputs.values.sorted() ?? []) {
      guard let scale = panel.inputs[input].device.scale else { continue }
      var finder = CutFinder(of: .reading(input))
      for condition in conditions { finder.look(at: condition) }
      let constants = finder.partners.compactMap(\.constant) + finder.constants
      let numbers = constants.flatMap { [$0 - 1, $0, $0 + 1] } + [scale.range.lowerBound, scale.range.upperBound]
      readings[input] = Set(numbers.filter { number in scale.readable.contains { $0.contains(number) } }).sorted()
    }
    for value in panel.accept.values {
      var finder = CutFinder(of: .value(value))
      for condition in conditions { finder.look(at: condition) }
      let range = panel.values[value].min...panel.values[value].max
      let constants = finder.partners.compactMap(\.constant) + finder.constants + [panel.values[value].initial]
      let numbers = constants.flatMap { [$0 - 1, $0, $0 + 1] } + [range.lowerBound, range.upperBound]
      settings.append((value, Set(numbers.filter(range.contains)).sorted()))
    }
    if let definition = panel.clock { clock = ExploredClock(definition, of: panel, readings) }
    for elements in Set(conditions.flatMap(\.comparedElements)).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      for group in panel.inputGroups {
        let members = elements.compactMap { group.member($0) }
        guard members.count == elements.count, members.allSatisfy(isButton) else { continue }
        typed.append(members.map { .click([$0]) })
      }
    }
  }

  private func isButton(_ input: Int) -> Bool { type(of: panel.inputs[input].device).control == .button }

  /// Generates a run with this number of steps, or with more if it continues a long run.
  ///
  /// - Parameters:
  ///   - known: a run that reached something new, whose first steps are repeated; nil for a new run.
  ///   - goesOn: called between steps; the run ends early if it returns false.
  func run(
    of count: Int, after known: RunInput?, _ random: inout SeededGenerator, while goesOn: () -> Bool = { true }
  ) -> RunInput {
    var run = RunInput()
    var count = count
    if let known {
      let going = ExtendedRunLength(of: known.steps.count, usual: count, &random)
      (run.moved, run.clock) = (known.moved, known.clock)
      run.steps = Array(known.steps.prefix(going.beginning))
      count = going.count
    } else {
      run.moved = operated.filter { input in
        type(of: panel.inputs[input].device).control == .switch && Int.random(in: 0..<4, using: &random) == 0
      }
      if let clock { run.clock = clock.start(&random) }
      if panel.usesChance { run.steps.append(.seed(UInt64.random(in: 1...999, using: &random))) }
    }
    var world = ExploredWorld(of: panel, startedBy: run)
    for step in run.steps { _ = world.take(step) }
    let isLong = clock != nil && Int.random(in: 0..<4, using: &random) == 0
    let longest = isLong ? max(longestRun, Self.longestRunOfClock) : longestRun
    var left = max(longest / 2, longest - run.steps.reduce(.zero) { $0 + $1.span })
    func add(_ step: Step) {
      guard run.steps.count < count, world.take(step) else { return }
      left -= step.span
      run.steps.append(step)
    }
    while run.steps.count < count, goesOn() {
      if Int.random(in: 0..<40, using: &random) == 0, let steps = typed.randomElement(using: &random) {
        for step in steps { add(step) }
        continue
      }
      let step = step(in: world, atMost: left, &random)
      add(step.span <= left ? step : .wait(.span(.milliseconds(Int.random(in: 1...10, using: &random)))))
    }
    return run
  }

  /// - Parameter left: the limit of a wait for a time of day.
  private func step(in world: ExploredWorld, atMost left: Duration, _ random: inout SeededGenerator) -> Step {
    if keeps, Int.random(in: 0..<Self.restarts, using: &random) == 0 {
      return .restart(Bool.random(using: &random) ? .stop : .powerCut(at: nil))
    }
    let requests = panel.accept.events.count + settings.count
    if requests > 0, Int.random(in: 0..<Self.requests, using: &random) == 0 {
      let place = Int.random(in: 0..<requests, using: &random)
      if place < panel.accept.events.count { return .remote(.ask(event: place)) }
      let setting = settings[place - panel.accept.events.count]
      return .remote(.set(value: setting.value, to: setting.numbers.randomElement(using: &random) ?? 0))
    }
    if let clock, Int.random(in: 0..<Self.clockSteps, using: &random) == 0 {
      return step(of: clock, in: world, atMost: left, &random)
    }
    var choice = Int.random(in: 0..<Weight.all, using: &random)
    func chosen(_ weight: Int) -> Bool {
      choice -= weight
      return choice < 0
    }
    if chosen(Weight.operate), let input = operated.randomElement(using: &random) {
      if Int.random(in: 0..<8, using: &random) == 0, let chord = chords.randomElement(using: &random) {
        let isUp = chord.allSatisfy { !world.closed.contains($0) }
        return isUp ? .press(chord) : .release(chord.filter { world.closed.contains($0) })
      }
      return operation(of: input, in: world, &random)
    }
    if chosen(Weight.plug) {
      let gone = world.unplugged.sorted()
      if let hardware = gone.randomElement(using: &random) { return .plug(hardware) }
      if let port = world.unpluggedPorts.sorted().randomElement(using: &random) { return .plugPort(port) }
      if let sensor = world.away.sorted().randomElement(using: &random) { return .plugSensor(input: sensor) }
    } else if chosen(Weight.unplug), let step = unplugging(&random) {
      return step
    } else if chosen(Weight.bounce), let input = operated.randomElement(using: &random),
      case let debounce = panel.inputs[input].device.debounce, debounce > .zero
    {
      return .bounce(input: input, debounce / 2)
    }
    return wait(times.wait(&random), in: world, &random)
  }

  /// Generates a wait. Before one that is longer than any press, it releases the pressed buttons in most cases.
  private func wait(_ span: Duration, in world: ExploredWorld, _ random: inout SeededGenerator) -> Step {
    let pressed = world.closed.filter { isButton($0) }.sorted()
    guard span > longestPress, !pressed.isEmpty, Int.random(in: 0..<8, using: &random) > 0 else {
      return .wait(.span(span))
    }
    return .release(pressed)
  }

  /// Generates a step of the clock: it is unplugged or plugged, a time of the file is waited for, or the clock is set.
  private func step(
    of clock: ExploredClock, in world: ExploredWorld, atMost left: Duration, _ random: inout SeededGenerator
  ) -> Step {
    let isAway = world.unpluggedPorts.contains(ClockPort.name)
    if canUnplugClock, Int.random(in: 0..<(isAway ? 3 : 10), using: &random) == 0 {
      return isAway ? .plugPort(ClockPort.name) : .unplugPort(ClockPort.name)
    }
    let most = min(left, NamedTimes.longest)
    if Int.random(in: 0..<3, using: &random) == 0, let span = clock.pause(in: world, atMost: most) {
      return wait(span, in: world, &random)
    }
    return .clock(clock.setting(in: world, &random))
  }

  private func unplugging(_ random: inout SeededGenerator) -> Step? {
    if !ports.isEmpty, Bool.random(using: &random), let port = ports.randomElement(using: &random) {
      return .unplugPort(port)
    }
    return hardware.randomElement(using: &random).map { .unplug($0) }
  }

  /// Generates an operation of an input, depending on its kind.
  private func operation(of input: Int, in world: ExploredWorld, _ random: inout SeededGenerator) -> Step {
    let isClosed = world.closed.contains(input)
    switch type(of: panel.inputs[input].device).control {
    case .button:
      if isClosed { return .release([input]) }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return .press([input])
      case 1:
        let hold = panel.inputs[input].device.gesture.flatMap { ButtonModel($0).spans.first }
        let isLong = Int.random(in: 0..<8, using: &random) == 0
        let span =
          hold.map { $0 + .milliseconds(Int.random(in: -1...20, using: &random)) }
          ?? times.wait(atMost: isLong ? NamedTimes.longest : longestPress, &random)
        return .hold(input: input, max(.milliseconds(1), span))
      default: return .click([input])
      }
    case .switch: return .switch(input: input, on: !isClosed)
    case .knob:
      let detents = Int.random(in: 1...3, using: &random) == 1 ? Int.random(in: 2...12, using: &random) : 1
      return .turn(input: input, detents: Bool.random(using: &random) ? detents : -detents)
    case .sensor:
      if world.sensing.contains(input), Int.random(in: 0..<20, using: &random) == 0 {
        return .unplugSensor(input: input)
      }
      let scale = panel.inputs[input].device.scale
      if Int.random(in: 0..<4, using: &random) > 0, let number = readings[input]?.randomElement(using: &random) {
        return .sense(input: input, number)
      }
      let range = scale?.readable.randomElement(using: &random) ?? scale?.range ?? 0...0
      return .sense(input: input, Int.random(in: range, using: &random))
    case .selector, .events: return event(of: input, &random)
    case .none: return .wait(.span(times.wait(&random)))
    }
  }

  /// Generates an event, with a number of the scale or one beside a number that the file compares it with.
  private func event(of input: Int, _ random: inout SeededGenerator) -> Step {
    let device = panel.inputs[input].device
    guard let event = device.events.indices.randomElement(using: &random) else {
      return .wait(.span(times.wait(&random)))
    }
    guard device.carriers.contains(event), let scale = device.scale else {
      return .event(input: input, event: event, number: nil)
    }
    let known = Int.random(in: 0..<4, using: &random) > 0 ? readings[input]?.randomElement(using: &random) : nil
    return .event(input: input, event: event, number: known ?? Int.random(in: scale.range, using: &random))
  }

  // MARK: - Smaller steps

  /// Returns simpler replacements of a step, the simplest first.
  func simpler(_ step: Step) -> [Step] {
    switch step {
    case .wait(.span(let span)): shorter(span).map { .wait(.span($0)) }
    case .hold(let input, let span): [.click([input])] + shorter(span).map { .hold(input: input, $0) }
    case .turn(let input, let detents) where abs(detents) > 1:
      [.turn(input: input, detents: detents.signum()), .turn(input: input, detents: detents / 2)]
    case .event(let input, let event, let number?):
      (readings[input] ?? []).prefix { $0 < number }.map { .event(input: input, event: event, number: $0) }
    default: []
    }
  }

  private func shorter(_ span: Duration) -> [Duration] {
    let half = Duration.milliseconds(max(1, span.wholeMillisecondsRoundedDown / 2))
    // A time of day begins with a whole second.
    let whole = Duration.seconds(span.components.seconds)
    let seconds = clock != nil && whole > .zero && whole < span ? [whole] : []
    return times.times.filter { $0 < span } + (half < span ? [half] : []) + seconds
  }
}

extension Step {
  /// The duration of the step's own wait or hold.
  fileprivate var span: Duration {
    switch self {
    case .wait(.span(let span)), .hold(_, let span): span
    default: .zero
    }
  }
}

extension Condition {
  /// The element lists with which conditions compare.
  fileprivate var comparedElements: [[Int]] {
    switch self {
    case .elements(_, let elements): [elements]
    case .not(let condition): condition.comparedElements
    case .all(let conditions), .any(let conditions): conditions.flatMap(\.comparedElements)
    case .comparison, .state, .position, .isLost, .isUnknown, .sameElements, .output, .contact: []
    }
  }
}

extension Duration {
  fileprivate var wholeMillisecondsRoundedDown: Int { Int(wholeNanoseconds / 1_000_000) }
}
