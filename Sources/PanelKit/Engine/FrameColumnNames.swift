import CycleCore
import PanelLanguage

extension PanelFrame: RowFrame {}

/// The names of the numbers in a panel's frames, for readers of a recording: `state.door`, `level`, `chime.starts`.
package struct FrameColumns {
  package let names: [String]

  package init(of panel: PanelDefinition) {
    let layout = FrameLayout(FrameSizes(of: panel), valueCount: panel.values.count)
    var names = (0..<layout.count).map { "number \($0)" }
    func name(_ first: some BinaryInteger, _ texts: [String]) {
      for (place, text) in texts.enumerated() { names[Int(first) + place] = text }
    }
    for (region, of) in panel.regions.enumerated() {
      let name = panel.regions.count == 1 ? "state" : "state.\(of.name ?? "\(region)")"
      names[FrameLayout.place(.state, of: region)] = name
      names[FrameLayout.place(.entry, of: region)] = "\(name).entries"
      names[FrameLayout.place(.remembered, of: region)] = "\(name).left"
      names[FrameLayout.place(.entered, of: region)] = "\(name).entered"
    }
    name(layout.value, panel.values.map(\.name))
    for value in panel.values {
      guard let list = value.list else { continue }
      name(Int(layout.element) + list.first, (1...max(1, list.capacity)).map { "\(value.name)[\($0)]" })
    }
    for (sound, of) in panel.sounds.enumerated() {
      names[layout.place(.start, of: sound)] = "\(of.name).starts"
      names[layout.place(.ended, of: sound)] = "\(of.name).ended"
      names[layout.place(.isOnce, of: sound)] = "\(of.name).once"
    }
    let inputs = panel.inputs.map(\.name)
    name(layout.loss, ["losses"] + inputs.map { "\($0).losses" })
    name(layout.position, inputs)
    name(layout.reading, inputs.map { "\($0).reading" })
    name(layout.hardware, panel.allHardware.map { "\(panel.name(of: $0)).missing" })
    if !panel.accept.presses.isEmpty { name(layout.remote, inputs.map { "\($0).muted" }) }
    name(layout.resumed, panel.resumptions.map { "\(panel.regions[$0.region].name ?? "main").resumed" })
    let items = panel.keptItems.map { Self.name(ofKept: $0) }
    if !items.isEmpty { name(layout.kept, items + ["kept.trouble"]) }
    if layout.perMessage > 0 {
      let slots = (0..<SentOSCMessages.capacity).flatMap { slot in
        ["sent[\(slot)]"] + (1..<layout.perMessage).map { "sent[\(slot)].\($0)" }
      }
      name(layout.sent, ["sent"] + slots)
    }
    if panel.readsContacts { name(layout.contact, panel.outputs.map { "\($0.name).contact" }) }
    if let clock = panel.clock {
      let alarms = clock.alarms.flatMap { ["clock.\($0.word).taken", "clock.\($0.word).pending"] }
      name(
        layout.clock, ["clock.checked", "clock.difference", "clock.offset", "clock.change", "clock.before"] + alarms)
    }
    if panel.asksForPower { name(layout.power, ["power.requests", "power"]) }
    name(layout.touchCount, ["touches"])
    name(layout.stream, ["chance"])
    name(layout.now, ["now"])
    name(layout.deadlinesAtOnce, ["deadlines at the same time"])
    name(layout.isStopped, ["stopped"])
    self.names = names
  }

  /// The name of the initial number of a kept item.
  package static func name(ofKept item: KeptItem) -> String { "\(item.name).kept" }
}
