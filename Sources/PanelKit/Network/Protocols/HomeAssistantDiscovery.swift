import HardwareDrivers
import PanelEngine
import PanelKinds
import PanelLanguage
import Terminal

/// The discovery message of a panel for Home Assistant: one device, with an entity for each published subject. All keys
/// are those of its integration `mqtt`. A subject that can't be controlled never becomes an entity with a control.
struct HomeAssistantDiscovery {
  private let panel: PanelDefinition
  private let id: String
  private let topics: PanelTopics
  private let show: PanelRendering

  /// - Parameters:
  ///   - panel: a panel with `mqtt`.
  ///   - id: the panel's own part of the topics.
  init(of panel: PanelDefinition, id: String) {
    (self.panel, self.id) = (panel, id)
    topics = PanelTopics(of: panel, id: id, fixed: [])
    show = PanelRendering(panel: panel)
  }

  var payload: [UInt8] { payload(removing: []) }

  var message: JSON { message(of: components) }

  private func message(of components: [JSON.Member]) -> JSON {
    let version = JSON.text(PanelInstallation.version)
    return .object([
      "dev": .object([
        "ids": .texts([device]), "name": .text(panel.name), "mf": .text("panel"), "sw": version,
      ]),
      "o": .object(["name": .text("panel"), "sw": version]),
      // A list even for one topic: an entity with its own list must not have `avty_t` of the device as well.
      "avty": .list([.object(["t": topic(.availability)])]),
      "qos": .number(1),
      "cmps": .object(components),
    ])
  }

  /// The id of the device, as in its topic.
  private var device: String { PanelTopics.device(id) }

  private var components: [JSON.Member] {
    let told = panel.mqtt ?? MQTTDefinition()
    return told.inputs.compactMap(input) + told.outputs.map(output) + told.values.compactMap(value)
      + told.regions.map(state) + told.sounds.map(sound) + panel.accept.presses.map(press)
      + panel.accept.events.map(event) + [trouble]
  }

  // MARK: - Removed entities

  /// The message with which Home Assistant removes entities.
  ///
  /// - Parameter removed: the entities to remove. A current entity with the same key and another platform is left out.
  func payload(removing removed: [RetainedEntity]) -> [UInt8] {
    let keys = Set(removed.map(\.key))
    let gone = removed.map { JSON.Member(name: $0.key, value: .object(["p": .text($0.platform)])) }
    return Array(message(of: components.filter { !keys.contains($0.name) } + gone).line.utf8)
  }

  /// The entities of an earlier message that the panel no longer has, or that now have another platform.
  ///
  /// - Parameter payload: the earlier message.
  func removed(since payload: [UInt8]) -> [RetainedEntity] {
    let here = Set(RetainedEntity.all(in: self.payload))
    return RetainedEntity.all(in: payload).filter { !here.contains($0) }
  }

  // MARK: - Entities

  /// Creates an entity.
  ///
  /// - Parameters:
  ///   - key: the unique key of the entity in the panel: letters, digits, `-` and `_`.
  ///   - name: the name for users.
  private func entity(
    _ platform: String, _ key: String, _ name: String, _ fields: KeyValuePairs<String, JSON?>
  ) -> JSON.Member {
    let head: [JSON.Member] = [
      .init(name: "p", value: .text(platform)), .init(name: "unique_id", value: .text("\(device)_\(key)")),
      .init(name: "name", value: .text(name)),
    ]
    let rest = fields.compactMap { name, value in value.map { JSON.Member(name: name, value: $0) } }
    return .init(name: key, value: .object(head + rest))
  }

  /// A name of the file as a key: `pad_3` for a member of a group.
  private func key(_ name: String) -> String {
    name.split { $0 == "(" || $0 == ")" }.joined(separator: "_")
  }

  /// A name of the file as a title for users: `Code lock`.
  private func title(_ name: String) -> String {
    let words = name.split { "-()".contains($0) }.joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  private func topic(_ subject: PanelTopics.Subject) -> JSON { .text(topics.name(of: subject)) }

  private func input(_ input: Int) -> JSON.Member? {
    let (name, device) = (panel.inputs[input].name, panel.inputs[input].device)
    if device.isSensor {
      return entity(
        "sensor", key(name), title(name),
        [
          "device_class": device.deviceClass.map { .text($0) }, "state_class": .text("measurement"),
          "unit_of_measurement": device.unit.isEmpty ? nil : .text(device.unit),
          "state_topic": topic(.input(input)),
          "avty": .list([.availability, .presence(input)].map { .object(["t": topic($0)]) }),
          "avty_mode": .text("all"),
        ])
    }
    if type(of: device).control == .selector {
      return entity(
        "sensor", key(name), title(name),
        ["device_class": .text("enum"), "options": .texts(device.positions), "state_topic": topic(.input(input))])
    }
    let isOperated = [.button, .knob, .events].contains(type(of: device).control) || device.gesture != nil
    guard isOperated || device.positions.count != 2 else {
      return entity(
        "binary_sensor", key(name), title(name),
        ["device_class": device.deviceClass.map { .text($0) }, "state_topic": topic(.input(input))])
    }
    guard !device.events.isEmpty else { return nil }
    // The output that reports the events is an entity with the key of the name.
    let isReport = device is OutputEventInput
    return entity(
      "event", isReport ? key(name) + "_event" : key(name), isReport ? title(name) + " event" : title(name),
      [
        "device_class": device.gesture == nil ? nil : .text("button"),
        "event_types": .texts(events(of: device)), "state_topic": topic(.event(input)),
      ])
  }

  /// The events that the driver emits. For a button, these are the gestures that the file reacts to.
  private func events(of device: any InputKind) -> [String] {
    guard let gesture = device.gesture else { return device.events }
    return device.events.enumerated().filter { place, _ in
      switch place {
      case ButtonEvent.held: gesture.hold != nil
      case ButtonEvent.repeated: gesture.repetition != nil
      case ButtonEvent.clicked: gesture.emitsClicks
      default: ButtonEvent.clicks(of: place).map { $0 <= gesture.mostClicks } ?? true
      }
    }.map(\.1)
  }

  private func output(_ output: Int) -> JSON.Member {
    let (name, device) = (panel.outputs[output].name, panel.outputs[output].device)
    if device.pagePicture == .screen {
      return entity(
        "sensor", key(name), title(name),
        ["state_topic": topic(.output(output)), "value_template": .text("{{ value_json.show }}")])
    }
    return entity(
      "binary_sensor", key(name), title(name),
      [
        "device_class": type(of: device).deviceClass.map { .text($0) }, "state_topic": topic(.output(output)),
        "value_template": .text("{{ value_json.state }}"),
      ])
  }

  /// Returns nil for a value with a fixed number: Home Assistant rejects it, and it would be of no use.
  private func value(_ value: Int) -> JSON.Member? {
    let definition = panel.values[value]
    let (key, title) = (key(definition.name), title(definition.name))
    guard definition.list != nil || definition.min < definition.max else { return nil }
    let (isNumber, decimals) = (definition.isNumber, definition.decimals)
    let unit: JSON? = definition.unit.isEmpty ? nil : .text(definition.unit)
    if definition.isTime, panel.accept.values.contains(value) {
      return entity(
        "text", key, title,
        [
          "min": .number(5), "max": .number(5), "pattern": .text("([01][0-9]|2[0-3]):[0-5][0-9]"),
          "state_topic": topic(.value(value)), "command_topic": .text("\(topics.prefix)set/\(definition.name)"),
        ])
    }
    guard panel.accept.values.contains(value), isNumber else {
      return entity(
        "sensor", key, title,
        [
          "state_class": isNumber ? .text("measurement") : nil, "unit_of_measurement": unit,
          "state_topic": topic(.value(value)),
          "value_template": definition.longestText > Self.longestState ? .text(Self.shortening) : nil,
        ])
    }
    return entity(
      "number", key, title,
      [
        "min": .fixed(definition.min, decimals: decimals), "max": .fixed(definition.max, decimals: decimals),
        "step": .fixed(1, decimals: decimals), "unit_of_measurement": unit,
        "state_topic": topic(.value(value)), "command_topic": .text("\(topics.prefix)set/\(definition.name)"),
        // A negative number without `=` would be a change.
        "command_template": .text("= {{ value }}"),
      ])
  }

  /// The maximum length of a state in Home Assistant, in characters.
  static let longestState = 255
  /// A template that replaces the end of a longer text with an ellipsis. The topic has the whole text.
  private static let shortening =
    "{{ value if value | length <= \(longestState) else value[:\(longestState - 1)] ~ '…' }}"

  private func state(_ region: Int) -> JSON.Member {
    let name = panel.regions[region].name
    let paths = paths(in: region)
    let isLong = paths.contains { $0.count > Self.longestState }
    return entity(
      "sensor", name.map { "state_\(key($0))" } ?? "state", name.map { "State of \($0)" } ?? "State",
      [
        "device_class": .text("enum"),
        "options": .texts(
          isLong ? paths.map { $0.count > Self.longestState ? $0.prefix(Self.longestState - 1) + "…" : $0 } : paths),
        "state_topic": topic(.state(region)), "value_template": isLong ? .text(Self.shortening) : nil,
      ])
  }

  /// The paths of all states that can be published for a region.
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
    // A prefix, because an item of the file may have the name `trouble`.
    entity(
      "binary_sensor", "panel_trouble", "Trouble",
      [
        "device_class": .text("problem"), "entity_category": .text("diagnostic"), "state_topic": topic(.trouble),
        "value_template": .text("{{ 'OFF' if value == '{}' else 'ON' }}"),
      ])
  }
}
