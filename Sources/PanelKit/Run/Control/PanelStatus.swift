import CycleCore
import HardwareDrivers
import PanelEngine
import PanelLanguage
import PanelNetwork
import Terminal

/// The status of a running panel, as its control socket reports it. It is read from the frame alone; no line is read.
package struct PanelStatus {
  private let session: PanelSession

  package init(of session: PanelSession) {
    self.session = session
  }

  private var panel: PanelDefinition { session.panel }
  private var application: PanelApplication { session.application }

  // MARK: - Parts that can change with a frame

  /// `state`, `values`, `inputs`, `outputs`, `playing` and `trouble`, each with its current members.
  var parts: [JSON.Member] {
    let frame = session.frame
    return [
      .init(name: "state", value: .object(states(in: frame).map { .init(name: $0.region, value: .text($0.state)) })),
      .init(name: "values", value: .object(values(in: frame))),
      .init(
        name: "inputs", value: .object(session.view.inputs.map { .init(name: $0.name, value: .text($0.text)) })),
      .init(name: "outputs", value: .object(outputs(in: frame))),
      .init(name: "playing", value: .texts(application.show.audible(in: frame).map { panel.sounds[$0].name })),
      .init(name: "trouble", value: .object(trouble(in: frame).map { .init(name: $0.what, value: .text($0.text)) })),
    ]
  }

  /// The current state of each region; the one region of a file without names is `main`.
  private func states(in frame: PanelFrame) -> [(region: String, state: String)] {
    let show = application.show
    return show.toldRegions.map { region in
      let state = show.toldState(of: region, in: frame)
      return (panel.regions[region].name ?? "main", state < 0 ? "" : show.path(of: state, in: region))
    }
  }

  private func values(in frame: PanelFrame) -> [JSON.Member] {
    panel.values.enumerated().map { place, value in
      let json = { (number: Int) -> JSON in
        value.isDuration || value.isTime ? .text(value.text(of: number)) : .fixed(number, decimals: value.decimals)
      }
      return .init(
        name: value.name,
        value: value.list.map { .list(frame.elements(of: $0).map(json)) } ?? json(frame[value: place]))
    }
  }

  private func outputs(in frame: PanelFrame) -> [JSON.Member] {
    let values = application.show.values(in: frame)
    let view = OutputView(values: values, age: .zero)
    return panel.outputs.enumerated().map { place, output in
      let appearance = application.show.appearance(of: place, in: frame)
      return .init(name: output.name, value: .text("\(output.device.observed.look(of: appearance, in: view))"))
    }
  }

  /// The lost hardware, and the reason why the panel has stopped.
  private func trouble(in frame: PanelFrame) -> [(what: String, text: String)] {
    let lost =
      frame.missing.map { (panel.name(of: $0), "lost") } + oscTrouble(in: frame)
      + (keptTrouble(in: frame).map { [("values", $0)] } ?? [])
    return lost + (frame.stop.map { [("panel", $0.line(of: panel))] } ?? [])
  }

  /// The reason why values are not saved on the disk; nil if they are, or will be.
  private func keptTrouble(in frame: PanelFrame) -> String? {
    guard frame.hasKeptTrouble else { return session.keptNowhere }
    let last = frame.troubles.last {
      if case .trouble(.failed, let source) = $0 { source.lens == "values" } else { false }
    }
    guard case .trouble(.failed(let error), _)? = last else { return "they can't be saved" }
    return "\(error)"
  }

  /// The age of the last save since the start, and the size of the file. Empty for a panel that keeps no values.
  private var kept: [JSON.Member] {
    guard panel.keptCount > 0 else { return [] }
    let saved = session.kept?.saved
    let ago = saved.map { session.now - $0.moment }
    return [
      .init(
        name: "kept",
        value: .object([
          .init(name: "saved", value: ago.map { .text(WallClock.text(ago: $0)) } ?? .null),
          .init(name: "bytes", value: saved.map { .number($0.byteCount) } ?? .null),
        ]))
    ]
  }

  /// The connection to the broker; empty for a panel without `mqtt`.
  private var mqtt: [JSON.Member] {
    guard let network = application.network else { return [] }
    let numbers = network.numbers.map { JSON.Member(name: $0.name, value: .number($0.number)) }
    return [
      .init(
        name: "mqtt", value: .object([.init(name: "connected", value: .flag(network.isConnected))] + numbers))
    ]
  }

  /// The addresses of `osc` that can't be used.
  private func oscTrouble(in frame: PanelFrame) -> [(what: String, text: String)] {
    guard let osc = panel.osc else { return [] }
    let first = application.oscSource
    return osc.lensNames.enumerated().filter { frame.isMissing(source: first + $0.offset) }.map { ($0.element, "lost") }
  }

  /// The connections and message counts of Open Sound Control; empty for a panel without `osc`.
  private var osc: [JSON.Member] {
    guard let osc = panel.osc, let connection = application.osc else { return [] }
    func object(_ publisher: MessagePublisher, _ numbers: [MessageCount]) -> JSON {
      .object(
        [.init(name: "connected", value: .flag(publisher.isConnected))]
          + numbers.map { JSON.Member(name: $0.name, value: .number($0.number)) })
    }
    var members = zip(osc.receivers, connection.publishers).map { receiver, publisher in
      JSON.Member(name: receiver.text, value: object(publisher.messages, publisher.messages.numbers))
    }
    if let listener = connection.listener {
      members.append(.init(name: "accept", value: object(listener, connection.heard)))
    }
    return [.init(name: "osc", value: .object(members))]
  }

  /// The changes from older parts to newer ones: for each part the members that differ, with null for a removed member.
  static func changes(from old: [JSON.Member], to new: [JSON.Member]) -> [JSON.Member] {
    zip(old, new).compactMap { old, new in
      guard case .object(let before) = old.value, case .object(let after) = new.value else {
        return old == new ? nil : new
      }
      // Only members of `trouble` appear and disappear. All other members keep their order.
      let changed =
        before.count == after.count && zip(before, after).allSatisfy { $0.name == $1.name }
        ? zip(before, after).filter { $0 != $1 }.map(\.1)
        : after.filter { !before.contains($0) }
          + before.filter { member in !after.contains { $0.name == member.name } }
          .map { .init(name: $0.name, value: .null) }
      return changed.isEmpty ? nil : .init(name: new.name, value: .object(changed))
    }
  }

  // MARK: - Replies

  /// The numbers of delivered and lost events of each driver, by the name of its lens.
  package var accounts: [(lens: String, account: LaneEventCounts)] {
    guard let cycle = application.cycle as? any InspectableApplication else { return [] }
    return Array(zip(cycle.lensNames, cycle.accounts)).map { ($0.0, $0.1) }
  }

  private var uptime: Int { Int(session.elapsed.components.seconds) }

  /// The whole status as one JSON object.
  ///
  /// - Parameter more: members that follow those of the frame.
  func line(_ more: [JSON.Member]) -> String {
    let head: [JSON.Member] = [.init(name: "panel", value: .text(panel.name))]
    let tail: [JSON.Member] = [
      .init(name: "uptime_s", value: .number(uptime)),
      .init(name: "events", value: .number(accounts.reduce(0) { $0 + $1.account.delivered })),
      .init(name: "events_lost", value: .number(accounts.reduce(0) { $0 + $1.account.lost })),
    ]
    return JSON.object(head + parts + kept + mqtt + osc + tail + more).line
  }

  /// State, events and trouble: `idle; 12 events; gpio lost`.
  package var sentence: String {
    let frame = session.frame
    let events = accounts.reduce(0) { $0 + $1.account.delivered }
    let trouble = trouble(in: frame).map { "\($0.what) \($0.text)" }
    return ([stateText(in: frame), counted(events, "event")] + trouble).joined(separator: "; ")
  }

  /// The current states in short: `idle`, or `doors=open lights=red`.
  private func stateText(in frame: PanelFrame) -> String {
    let states = states(in: frame)
    if states.count == 1 { return states[0].state }
    return states.filter { !$0.state.isEmpty }.map { "\($0.region)=\($0.state)" }.joined(separator: " ")
  }

  /// The time in seconds since the last change of a state; nil at the start.
  private var stateSeconds: Int? {
    let frame = session.frame
    let entered = application.show.toldRegions.map { frame[entered: $0] }.max() ?? -1
    return entered < 0 ? nil : max(0, Int(session.now.nanoseconds) - entered) / 1_000_000_000
  }

  /// A row of a table, separated by tabs: state, seconds since the start, events, trouble, and seconds in the state.
  var brief: String {
    let frame = session.frame
    let trouble = trouble(in: frame).map { "\($0.what) \($0.text)" }.joined(separator: "; ")
    let events = accounts.reduce(0) { $0 + $1.account.delivered }
    return [stateText(in: frame), "\(uptime)", "\(events)", trouble, "\(stateSeconds ?? uptime)"].map(visible)
      .joined(separator: "\t")
  }

  /// The metrics for Prometheus, in its text format 0.0.4.
  ///
  /// - Parameters:
  ///   - name: the name of the service, the value of the label `panel` of all metrics.
  ///   - crashes: the number of recent crashes of the service.
  func prometheus(_ name: String, crashes: Int) -> [String] {
    let frame = session.frame
    func row(_ metric: String, _ labels: KeyValuePairs<String, String>, _ number: Int) -> String {
      let all = ([("panel", name)] + labels.map { ($0.key, $0.value) }).map { "\($0)=\"\(Self.escaped($1))\"" }
      return "\(metric){\(all.joined(separator: ","))} \(number)"
    }
    var lines = [
      row("panel_up", [:], 1), row("panel_uptime_seconds", [:], uptime), row("panel_crashes", [:], crashes),
    ]
    for (lens, account) in accounts {
      lines.append(row("panel_events_total", ["lens": lens], account.delivered))
      lines.append(row("panel_events_lost_total", ["lens": lens], account.lost))
    }
    for (region, state) in states(in: frame) {
      lines.append(row("panel_state", ["region": region, "state": state], 1))
    }
    for (place, value) in panel.values.enumerated() {
      lines.append(row("panel_value", ["name": value.name], frame[value: place]))
    }
    if let network = application.network {
      lines.append(row("panel_mqtt_connected", [:], network.isConnected ? 1 : 0))
      for (name, number, isTotal) in network.numbers {
        lines.append(row("panel_mqtt_\(name)\(isTotal ? "_total" : "")", [:], number))
      }
    }
    if let osc = panel.osc, let connection = application.osc {
      for (receiver, publisher) in zip(osc.receivers, connection.publishers) {
        let labels: KeyValuePairs = ["to": receiver.text]
        lines.append(row("panel_osc_connected", labels, publisher.messages.isConnected ? 1 : 0))
        for (name, number, isTotal) in publisher.messages.numbers {
          lines.append(row("panel_osc_\(name)\(isTotal ? "_total" : "")", labels, number))
        }
      }
      if connection.listener != nil { lines.append(row("panel_osc_refused_total", [:], connection.refusals.count)) }
    }
    return lines + trouble(in: frame).map { row("panel_trouble", ["what": $0.what], 1) }
  }

  private static func escaped(_ text: String) -> String {
    text.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : $0 == "\n" ? "\\n" : "\($0)" }.joined()
  }
}
