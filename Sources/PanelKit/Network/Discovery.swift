import HardwareDrivers
import Terminal

/// What Home Assistant is told of a panel: one message of which it makes a device with an entity for each thing that is told. All keys are
/// those of its integration `mqtt`; what can't be commanded is no entity that looks as if it could.
struct Discovery {
  private let panel: PanelDefinition
  private let id: String
  private let topics: PanelTopics
  private let show: PanelShow

  /// - Parameters:
  ///   - panel: has `mqtt`.
  ///   - id: its own part of the topics.
  init(of panel: PanelDefinition, id: String) {
    (self.panel, self.id) = (panel, id)
    topics = PanelTopics(of: panel, id: id, fixed: [])
    show = PanelShow(panel: panel)
  }

  var payload: [UInt8] { Array(message.line.utf8) }

  var message: JSON {
    let version = JSON.text(PanelCommand.version)
    return .object([
      "dev": .object([
        "ids": .texts(["panel_\(id)"]), "name": .text(panel.name), "mf": .text("panel"), "sw": version,
      ]),
      "o": .object(["name": .text("panel"), "sw": version]),
      "avty_t": .text(topics.name(of: .availability)),
      "qos": .number(1),
      "cmps": .object(components),
    ])
  }

  private var components: [JSON.Member] {
    let told = panel.mqtt ?? NetworkDefinition()
    return told.inputs.compactMap(input) + told.outputs.map(output) + told.values.map(value)
      + told.regions.map(state) + told.sounds.map(sound) + panel.accept.presses.map(press)
      + panel.accept.events.map(event) + [trouble]
  }

  /// An entity.
  ///
  /// - Parameters:
  ///   - key: what tells it from the panel's others: letters, digits, `-` and `_`.
  ///   - name: what people read.
  private func entity(
    _ platform: String, _ key: String, _ name: String, _ fields: KeyValuePairs<String, JSON?>
  ) -> JSON.Member {
    let head: [JSON.Member] = [
      .init(name: "p", value: .text(platform)), .init(name: "unique_id", value: .text("panel_\(id)_\(key)")),
      .init(name: "name", value: .text(name)),
    ]
    let rest = fields.compactMap { name, value in value.map { JSON.Member(name: name, value: $0) } }
    return .init(name: key, value: .object(head + rest))
  }

  /// A name of the file as a key: of a member of a group `pad_3`.
  private func key(_ name: String) -> String {
    name.split { $0 == "(" || $0 == ")" }.joined(separator: "_")
  }

  /// A name of the file as people write it: `Code lock`.
  private func title(_ name: String) -> String {
    let words = name.split { "-()".contains($0) }.joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  private func topic(_ subject: PanelTopics.Subject) -> JSON { .text(topics.name(of: subject)) }

  private func input(_ input: Int) -> JSON.Member? {
    let (name, device) = (panel.inputs[input].name, panel.inputs[input].device)
    if device.scale != nil {
      return entity("sensor", key(name), title(name), ["state_topic": topic(.input(input))])
    }
    let isOperated = [.button, .knob].contains(type(of: device).control) || device.gesture != nil
    guard isOperated || device.positions.count != 2 else {
      return entity("binary_sensor", key(name), title(name), ["state_topic": topic(.input(input))])
    }
    guard !device.events.isEmpty else { return nil }
    return entity(
      "event", key(name), title(name),
      [
        "device_class": device.gesture == nil ? nil : .text("button"),
        "event_types": .texts(events(of: device)), "state_topic": topic(.event(input)),
      ])
  }

  /// The events that the driver emits: of a button the gestures that the file reacts to.
  private func events(of device: any InputKind) -> [String] {
    guard let gesture = device.gesture else { return device.events }
    return device.events.enumerated().filter { place, _ in
      switch place {
      case ButtonKind.held: gesture.hold != nil
      case ButtonKind.clicked: gesture.emitsClicks
      case ButtonKind.doubleClicked: gesture.doubleClick != nil
      default: true
      }
    }.map(\.1)
  }

  private func output(_ output: Int) -> JSON.Member {
    let (name, device) = (panel.outputs[output].name, panel.outputs[output].device)
    if device is any DisplayKind {
      return entity(
        "sensor", key(name), title(name),
        ["state_topic": topic(.output(output)), "value_template": .text("{{ value_json.show }}")])
    }
    return entity(
      "binary_sensor", key(name), title(name),
      [
        "device_class": device is LEDKind ? .text("light") : nil, "state_topic": topic(.output(output)),
        "value_template": .text("{{ value_json.state }}"),
      ])
  }

  private func value(_ value: Int) -> JSON.Member {
    let definition = panel.values[value]
    let (key, title) = (key(definition.name), title(definition.name))
    guard panel.accept.values.contains(value), !definition.isDuration, definition.list == nil else {
      return entity("sensor", key, title, ["state_topic": topic(.value(value))])
    }
    return entity(
      "number", key, title,
      [
        "min": .number(definition.min), "max": .number(definition.max), "step": .number(1),
        "state_topic": topic(.value(value)), "command_topic": .text("\(topics.prefix)set/\(definition.name)"),
      ])
  }

  private func state(_ region: Int) -> JSON.Member {
    let name = panel.regions[region].name
    return entity(
      "sensor", name.map { "state_\($0)" } ?? "state", name.map { "State of \($0)" } ?? "State",
      [
        "device_class": .text("enum"), "options": .texts(paths(in: region)), "state_topic": topic(.state(region)),
      ])
  }

  /// All that can be told of a region.
  private func paths(in region: Int) -> [String] {
    let states = panel.states.indices.dropFirst().filter { state in
      var around = panel.states[state].region
      while around != region, panel.regions[around].name == nil, panel.regions[around].owner != 0 {
        around = panel.states[panel.regions[around].owner].region
      }
      return around == region
    }
    return states.map { show.path(of: $0, in: region) } + (panel.regions[region].owner == 0 ? [] : ["-"])
  }

  private func sound(_ sound: Int) -> JSON.Member {
    let name = panel.sounds[sound].name
    return entity(
      "binary_sensor", key(name), title(name),
      [
        "device_class": .text("sound"), "payload_on": .text("playing"), "payload_off": .text("idle"),
        "state_topic": topic(.sound(sound)),
      ])
  }

  private func press(_ input: Int) -> JSON.Member {
    let name = panel.inputs[input].name
    return entity(
      "button", "press_\(key(name))", "Press \(title(name).lowercased())",
      ["command_topic": .text("\(topics.prefix)press/\(name)"), "payload_press": .text("click")])
  }

  private func event(_ name: String) -> JSON.Member {
    entity(
      "button", "do_\(name)", title(name),
      ["command_topic": .text("\(topics.prefix)do/\(name)"), "payload_press": .text("do")])
  }

  private var trouble: JSON.Member {
    // Something of the file may have that name.
    entity(
      "binary_sensor", "panel_trouble", "Trouble",
      [
        "device_class": .text("problem"), "entity_category": .text("diagnostic"), "state_topic": topic(.trouble),
        "value_template": .text("{{ 'OFF' if value == '{}' else 'ON' }}"),
      ])
  }
}
