import HardwareDrivers
import PanelEngine
import PanelKinds
import PanelLanguage
import Terminal

/// Compares the current state of a panel with an expectation.
struct ExpectationCheck {
  let session: PanelSession

  private var panel: PanelDefinition { session.panel }
  private var frame: PanelFrame { session.observedFrame }

  /// A message with the expected and the actual state; nil if they are the same.
  func failure(of expectation: Expectation) -> String? {
    switch expectation {
    case .output(let output, let wanted):
      let seen = session.look(of: output)
      return seen == wanted
        ? nil : differs(panel.outputs[output].name, "\(wanted)", "\(seen)") + lateness(of: output, wanted)
    case .appearance(let output, let wanted): return appearance(of: output, wanted)
    case .value(let value, let wanted): return self.value(value, wanted)
    case .elements(let list, let wanted):
      let (seen, value) = (frame.elements(of: list), panel.values[list.value])
      guard !seen.elementsEqual(wanted) else { return nil }
      let text = { (elements: [Int]) in "[\(elements.map { value.text(of: $0) }.joined(separator: ", "))]" }
      return differs(value.name, text(wanted), text(Array(seen)))
    case .reading(let input, let wanted):
      let seen = frame[reading: input]
      guard let scale = panel.inputs[input].device.scale, !wanted.contains(seen) else { return nil }
      return differs(
        panel.inputs[input].name, text(of: wanted) { scale.text(of: $0) },
        seen == .unknown ? "unknown" : scale.text(of: seen))
    case .state(let target, let region): return state(target, region)
    case .playing(let wanted):
      let (seen, view) = (session.application.show.audible(in: frame), session.view)
      return Set(seen) == Set(wanted) ? nil : differs("playing", view.text(of: wanted), view.text(of: seen))
    case .sent(let wanted):
      let seen = session.sent.words
      session.sent.forget()
      return seen == wanted ? nil : "expected to send \(list(wanted)); it has sent \(list(seen))"
    case .power(let wanted):
      let (seen, view) = (frame.powerRequests.change, session.view)
      return seen == wanted ? nil : differs("power", view.text(of: wanted), view.text(of: seen))
    case .position(let input, let wanted):
      let (device, name) = (panel.inputs[input].device, panel.inputs[input].name)
      let seen = frame[position: input]
      guard seen != wanted else { return nil }
      // The clock has no positions, and is known as soon as it has a time.
      let isNumber = device.positions.isEmpty && frame[reading: input] != .unknown
      let text = isNumber ? device.scale?.text(of: frame[reading: input]) : nil
      return differs(name, device.word(ofPosition: wanted), text ?? device.word(ofPosition: seen))
    case .presence(let hardware, let isLost):
      guard frame.isMissing(hardware) != isLost else { return nil }
      return differs(session.panel.name(of: hardware), isLost ? "lost" : "there", isLost ? "there" : "lost")
    case .volume(let wanted):
      let seen = session.application.show.volume(in: frame)
      return (seen - wanted).magnitude < 0.0005 ? nil : differs("audio.volume", "\(wanted)", rounded(seen))
    case .ended(let wanted):
      let seen = session.exitStatus
      return seen == wanted ? nil : differs("ended", "\(wanted)", "\(seen)")
    case .condition(let condition):
      return session.holds(condition.condition) ? nil : "expected \(condition.text); \(seen(in: condition))"
    }
  }

  private func differs(_ subject: String, _ wanted: String, _ seen: String) -> String {
    "expected \(subject) \(wanted); it is \(seen)"
  }

  /// The part of the message for a display that has not yet shown its new content.
  private func lateness(of output: Int, _ wanted: ObservedOutput) -> String {
    let device = panel.outputs[output].device.observed
    guard device.lag > .zero, !panel.allHardware.contains(where: { frame.isMissing($0) }),
      session.outputs.lookWithoutHardware(of: output, at: session.now) == wanted
    else { return "" }
    return "; \(type(of: device).phrase) needs up to \(device.lag / .seconds(1)) s"
  }

  private func list(_ messages: [String]) -> String {
    guard messages.count > 20 else { return messages.isEmpty ? "nothing" : messages.joined(separator: ", ") }
    return "\(messages.prefix(20).joined(separator: ", ")), and \(messages.count - 20) more"
  }

  private func rounded(_ number: Double) -> String { "\((number * 1000).rounded() / 1000)" }

  private func value(_ value: Int, _ wanted: ClosedRange<Int>) -> String? {
    let (seen, definition) = (frame[value: value], panel.values[value])
    guard !wanted.contains(seen) else { return nil }
    return differs(definition.name, text(of: wanted) { definition.text(of: $0) }, definition.text(of: seen))
  }

  private func text(of range: ClosedRange<Int>, _ text: (Int) -> String) -> String {
    range.count == 1 ? text(range.lowerBound) : "\(text(range.lowerBound))..\(text(range.upperBound))"
  }

  private func state(_ target: PanelDefinition.Target, _ region: Int?) -> String? {
    guard frame[state: target.region] != target.state else { return nil }
    let (show, told) = (session.application.show, region ?? session.application.show.toldRegions[0])
    let seen = show.path(of: show.toldState(of: told, in: frame), in: told)
    return differs(session.view.name(ofRegion: told), panel.states[target.state].name, seen)
  }

  /// Compares the appearance of an output, with all its times, to an expected one. The look of the output must fit too:
  /// a lamp without its chip is dark.
  private func appearance(of output: Int, _ wanted: OutputAppearance) -> String? {
    let (shown, seen) = (session.outputs.appearance(of: output), session.look(of: output))
    if let look = panel.outputs[output].device.look(expecting: wanted) {
      return seen == look ? nil : differs(panel.outputs[output].name, wanted.text, "\(seen)")
    }
    let isSeen = seen != .off || wanted == .off || wanted == .count(0)
    if shown == wanted, isSeen { return nil }
    let isOther = !isSeen || !shown.isMoving
    return differs(panel.outputs[output].name, wanted.text, isOther ? "\(seen)" : shown.text)
  }

  /// The current state of the names in a condition: `n is 2, lamp is on`.
  func seen(in condition: StatedCondition) -> String {
    let names = Token.list(of: condition.text).filter { $0.kind == .name }
      .map { $0.text.hasSuffix(".count") ? String($0.text.dropLast(".count".count)) : $0.text }
    let (view, frame) = (session.view, self.frame)
    var texts: [String] = []
    for subject in view.subjects where names.contains(view.name(of: subject)) {
      texts.append("\(view.name(of: subject)) is \(view.text(view.shown(subject, in: frame), of: subject))")
    }
    texts += view.inputs.filter { names.contains($0.name) }.map { "\($0.name) is \($0.text)" }
    let panel = session.panel
    for hardware in panel.allHardware where names.contains(panel.name(of: hardware)) {
      texts.append("\(panel.name(of: hardware)) is \(frame.isMissing(hardware) ? "lost" : "there")")
    }
    return texts.isEmpty ? "it isn't so" : texts.joined(separator: ", ")
  }
}
