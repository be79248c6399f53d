import CycleCore
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelRun
import Terminal

/// The view of a panel in a console: its outputs, states, values and sounds, and its inputs as controls.
final class OperatedPanel: OperatedApplication, EventTap {
  private let session: PanelSession
  private var countdown = DeadlineCountdown()
  private var log = FoldedLog()

  /// - Parameter session: a session that has not started.
  init(_ session: PanelSession) {
    self.session = session
    let application = session.application
    application.cycle.tap(self)
    application.cycle.observe { [unowned self] frame, moment in
      countdown.note(awaited(in: frame), at: moment)
    }
    application.onFirstFrame = { [unowned self] frame in countdown.note(awaited(in: frame), at: session.now) }
  }

  var bench: Bench { session.bench }

  var controls: [ConsoleControl] {
    operated.map { input in
      let input = session.panel.inputs[input]
      return switch type(of: input.device).control {
      case .button: ConsoleControl(input.name, .button)
      case .switch:
        ConsoleControl(input.name, .switch, words: (input.device.positions[0], input.device.positions[1]))
      case .selector, .events: ConsoleControl(input.name, .button)
      case .knob, .sensor, .none: ConsoleControl(input.name, .knob)
      }
    }
  }

  /// The inputs that have a control; computed inputs have none, and neither has the clock.
  private lazy var operated = session.panel.inputs.indices.filter {
    let device = session.panel.inputs[$0].device
    guard session.panel.clockPart(of: $0) == nil else { return false }
    return type(of: device).control != .none && !(type(of: device).control == .events && device.events.isEmpty)
  }

  func start() throws(DriverError) { try session.start() }
  func stop() { session.stop() }
  func requestStop() { session.application.cycle.requestStop() }
  var isStopRequested: Bool { session.application.cycle.isStopRequested }

  func obstacle(to control: Int) -> String? { session.obstacle(to: step(control, isOn: true)) }
  func press(_ control: Int) throws(DriverError) { _ = try session.perform(step(control, isOn: true)) }
  func release(_ control: Int) throws(DriverError) {
    // An event is over as soon as it has been emitted.
    if case .event = step(control, isOn: false) { return }
    _ = try session.perform(step(control, isOn: false))
  }

  func turn(_ control: Int, by detents: Int) throws(DriverError) {
    let input = operated[control]
    let device = session.panel.inputs[input].device
    guard device.isSensor, let scale = device.scale else {
      _ = try session.perform(.turn(input: input, detents: detents))
      return
    }
    // One detent changes a sensor's reading by a hundredth of its range. A sensor without a reading starts at its
    // lowest number.
    let number =
      max(scale.range.lowerBound, session.application.frame[reading: input])
      + detents * max(1, scale.range.count / 100)
    let near = min(scale.range.upperBound, max(scale.range.lowerBound, number))
    _ = try session.perform(.sense(input: input, near))
  }

  /// The first event of an input, with its last number, or the least one. A line that is typed has any event.
  private func event(of input: Int) -> Step {
    let device = session.panel.inputs[input].device
    guard let scale = device.scale, device.carriers.contains(0) else {
      return .event(input: input, event: 0, number: nil)
    }
    let last = session.application.frame[reading: input]
    return .event(input: input, event: 0, number: max(last, scale.range.lowerBound))
  }

  /// The event of the position after the current one; after the last one follows the first.
  private func nextPosition(of input: Int) -> Step {
    let device = session.panel.inputs[input].device
    let next = (session.application.frame[position: input] + 1) % device.positions.count
    return .event(input: input, event: device.event(of: next) ?? 0, number: nil)
  }

  private func step(_ control: Int, isOn: Bool) -> Step {
    let input = operated[control]
    return switch type(of: session.panel.inputs[input].device).control {
    case .button: isOn ? .press([input]) : .release([input])
    case .switch: .switch(input: input, on: isOn)
    case .selector: nextPosition(of: input)
    case .events: event(of: input)
    case .knob, .sensor, .none: .turn(input: input, detents: 0)
    }
  }

  func lastEvents(_ count: Int) -> [(time: String, text: String)] {
    log.last(count).map { (session.seconds(at: $0.moment), $0.text) }
  }

  // MARK: - Events

  func receive<Event: Sendable>(_ event: Event, of lens: Int, at moment: Moment) { note(event, lens, moment) }
  func receive(_ trouble: Trouble, of lens: Int, at moment: Moment) { note(trouble, lens, moment) }

  private func note(_ event: Any, _ lens: Int, _ moment: Moment) {
    if let text = session.journal.text(of: event, of: lens) { log.add(text, at: moment) }
  }

  // MARK: - View

  var view: ConsoleView {
    let (panel, now) = (session.panel, session.now)
    let (frame, sources) = (session.application.frame, session.application.outputSources)
    return ConsoleView(
      title: title, time: session.seconds(at: now),
      outputs: panel.outputs.indices.map {
        // While the hardware is lost, the line levels show its last state, not the one that the panel wants.
        ConsoleView.Row(
          panel.outputs[$0].name, session.outputs.picture(of: $0, at: now),
          note: frame.isMissing(source: sources[$0]) ? "not driven: gpio is lost" : "")
      }, values: values, state: states(at: now))
  }

  private var title: String {
    let panel = session.panel
    return session.halt.map { "\(panel.name)  SAFE: \($0.title(in: panel))" } ?? panel.name
  }

  /// Returns the deadlines to count down: those that occur once.
  private func awaited(in frame: PanelFrame) -> [Timer<PanelDeadline>.Deadline] {
    let states = session.panel.states
    return session.application.show.deadlines(in: frame).filter { deadline in
      deadline.id.ofState.map { state, index in
        let definition = states[state].after[index]
        return definition.recurrence == .once && !definition.isCheck
      } ?? false
    }
  }

  var nextTick: Moment? { countdown.nextTick(after: session.now) }

  /// Returns the current state of each region, its remaining time, and the events that it waits for.
  private func states(at now: Moment) -> [ConsoleView.Row] {
    let (panel, show, frame) = (session.panel, session.application.show, session.application.frame)
    let waiting = countdown.waiting(at: now)
    var rows: [ConsoleView.Row] = []
    for region in show.toldRegions where frame[state: region] >= 0 {
      let innermost = show.toldState(of: region, in: frame)
      let states = show.states(from: innermost, upTo: region)
      let waits = waiting.compactMap { deadline, left -> String? in
        guard let (state, index) = deadline.ofState, states.contains(state) else { return nil }
        let targets = panel.states[state].after[index].transitions.compactMap(\.target)
        let target = targets.first.map { panel.states[$0.state].name } ?? "its time is up"
        return "\(DeadlineCountdown.text(of: left)) until \(target)"
      }
      let heard = panel.heard(by: states.flatMap { panel.states[$0].on })
      let path = show.path(of: innermost, in: region)
      rows.append(
        ConsoleView.Row(
          panel.regions[region].name ?? "", "\(Style.bold)\(path)\(Style.plain)",
          note: (waits + [heard]).filter { !$0.isEmpty }.joined(separator: " · ")))
    }
    let always = panel.heard(by: panel.states[0].on)
    if !always.isEmpty { rows.append(.init("always", "", note: always)) }
    return rows
  }

  private var values: [ConsoleView.Row] {
    let frame = session.application.frame
    var rows: [ConsoleView.Row] = session.panel.values.indices.map {
      ConsoleView.Row(session.panel.values[$0].name, session.panel.values[$0].text(of: frame[value: $0]))
    }
    if !session.panel.sounds.isEmpty {
      let audible = session.application.show.audible(in: frame).map { session.panel.sounds[$0].name }
      rows.append(.init("playing", audible.isEmpty ? "–" : "♪ " + audible.joined(separator: ", ")))
    }
    return rows
  }
}
