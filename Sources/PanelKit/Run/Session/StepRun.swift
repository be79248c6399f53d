import CycleCore
import HardwareDrivers
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelNetwork
import Terminal

/// Performs steps on a panel's session.
struct StepRun {
  let session: PanelSession

  // A reload replaces the world.
  private var world: PanelWorld { session.world }

  /// Performs the step. Returns a message for each expectation that failed.
  func perform(_ step: Step) throws(DriverError) -> [String] {
    let before = session.application.reportCounts.troubles
    return try attempt(step) + wrongDraws(since: before)
  }

  /// Messages for prescribed draws whose results are outside of the requested range.
  private func wrongDraws(since count: Int) -> [String] {
    let added = session.application.reportCounts.troubles - count
    guard added > 0 else { return [] }
    return session.frame.troubles.suffix(added).compactMap { trouble in
      if case .drawOutside = trouble { trouble.text } else { nil }
    }
  }

  private func attempt(_ step: Step) throws(DriverError) -> [String] {
    switch step {
    case .press(let inputs): for input in inputs { try world.move(input, toClosed: true) }
    case .release(let inputs): for input in inputs { try world.move(input, toClosed: false) }
    case .click(let inputs): for input in inputs { try world.click(input) }
    case .hold(let input, let span): try world.hold(input, for: span)
    case .turn(let input, let detents): try world.turn(input, by: detents)
    case .switch(let input, let isOn): try world.move(input, toClosed: isOn)
    case .wait(.span(let span)): try session.bench.advance(by: span)
    case .wait(.until(let condition, let atLeast, let atMost)): return try wait(until: condition, atLeast, atMost)
    case .wait(.during(let span, let condition)): return try wait(for: span, while: condition)
    case .nothing(let span): return try nothing(for: span)
    case .heard(let events): return heard(events)
    case .expect(let expectations):
      let check = ExpectationCheck(session: session)
      return expectations.compactMap { check.failure(of: $0) }
    case .show: break
    case .unplug(let hardware): try world.plug(hardware, false)
    case .plug(let hardware): try world.plug(hardware, true)
    case .busy(let devices): return devices.compactMap { occupy($0) }
    case .idle(let devices): for device in devices { _ = world.occupy(device, false) }
    case .jam(let input, let position): try world.jam(input, toClosed: position == 1)
    case .free(let input): try world.free(input)
    case .stutter(let span): try world.stutter(for: span)
    case .powerCut(let span): try session.cutPower(for: span)
    case .restart(let restart): return try ScenarioRestart(session: session).restart(restart)
    case .bounce(let input, let span): world.bounce(input, for: span)
    case .sense(let input, let number): try world.sense(input, number)
    case .event(let input, let event, let number): try world.emit(event, number: number, of: input)
    case .unplugSensor(let input): try world.plugSensor(input, false)
    case .plugSensor(let input): try world.plugSensor(input, true)
    case .unplugPort(let port): try world.plug(port: port, false)
    case .plugPort(let port): try world.plug(port: port, true)
    case .draw(let results): return try draw(results)
    case .reload(let file): return try reload(file)
    case .remote(let command): return try world.ask(command, of: session.application.remote)
    case .seed(let seed): try session.seed(seed)
    case .clock(let time): try world.set(clock: time)
    }
    return []
  }

  private func reload(_ file: ReloadedPanel) throws(DriverError) -> [String] {
    let sounds = PanelSound.all(file.panel.sounds, like: session.settings.sounds)
    do throws(RemoteRefusal) {
      _ = try session.reload(to: file.panel, sounds: sounds)
      return []
    } catch {
      return [error.text]
    }
  }

  /// The maximum number of prescribed results that wait to be drawn.
  private static let mostDraws = 10_000

  private func draw(_ results: [Int]) throws(DriverError) -> [String] {
    guard session.frame.prescribedDraws.count + results.count <= Self.mostDraws else {
      return ["more than \(Self.mostDraws) results of chance wait to be drawn; let the panel draw some first"]
    }
    try session.prescribe(results)
    return []
  }

  private func occupy(_ device: DeviceReference) -> String? {
    guard let line = world.occupy(device, true) else { return nil }
    return "no other program can have \(line); the panel holds it, unplug gpio first"
  }

  // MARK: - Waiting

  private func wait(
    until condition: StatedCondition, _ atLeast: Duration, _ atMost: Duration
  ) throws(DriverError) -> [String] {
    let (session, start) = (self.session, session.now)
    var moment: Moment?
    try session.advance(by: atMost) {
      if moment == nil, session.holds(condition.condition) { moment = session.now }
      return moment != nil
    }
    guard let moment else {
      let seen = ExpectationCheck(session: session).seen(in: condition)
      return ["expected \(condition.text) within \(Quantity.text(atMost)); \(seen)"]
    }
    guard moment - start < atLeast else { return [] }
    return [
      "expected \(condition.text) after \(Quantity.text(atLeast)) at least; it was so after \(SecondsText.text(of: moment - start))"
    ]
  }

  private func wait(for span: Duration, while condition: StatedCondition) throws(DriverError) -> [String] {
    let (session, start) = (self.session, session.now)
    var moment: Moment?
    var seen = ""
    try session.advance(by: span) {
      if moment == nil, !session.holds(condition.condition) {
        moment = session.now
        seen = ExpectationCheck(session: session).seen(in: condition)
      }
      return moment != nil
    }
    return moment.map { moment in
      ["expected \(condition.text) for \(Quantity.text(span)); after \(SecondsText.text(of: moment - start)) \(seen)"]
    } ?? []
  }

  private func nothing(for span: Duration) throws(DriverError) -> [String] {
    let (session, start) = (self.session, session.now)
    let (heardCount, kept) = (session.record?.heardCount, session.record?.heard.count ?? 0)
    let changes = ViewDiff(of: session, shownOnly: true)
    _ = changes.next()
    var what: String?
    var moment = start
    try session.advance(by: span) {
      guard what == nil else { return true }
      if let record = session.record, record.heardCount != heardCount,
        let event = record.heard.dropFirst(kept).first ?? record.lastHeard
      {
        what = "\(session.panel.name(of: event)) came"
      } else if let change = changes.next().first {
        what = "\(session.view.name(of: change.subject)) is \(change.text)"
      }
      moment = session.now
      return what != nil
    }
    return what.map {
      ["expected nothing for \(Quantity.text(span)); after \(SecondsText.text(of: moment - start)) \($0)"]
    }
      ?? []
  }

  // MARK: - Events

  private func heard(_ wanted: [PanelEvent]) -> [String] {
    guard let record = session.record else { return [] }
    let heard = record.heard
    record.forgetHeard()
    let panel = session.panel
    let isSame = heard.count == wanted.count && zip(heard, wanted).allSatisfy { panel.event($0, is: $1) }
    return isSame ? [] : ["expected the events \(list(wanted)); the events were \(list(heard))"]
  }

  private func list(_ events: [PanelEvent]) -> String {
    guard !events.isEmpty else { return "nothing" }
    let names = events.prefix(20).map { session.panel.name(of: $0) }.joined(separator: ", ")
    return events.count > 20 ? "\(names), and \(events.count - 20) more" : names
  }
}
