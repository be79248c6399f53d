import HardwareLinux

@testable import PanelKit

/// A page below `docs/panels/devices`: a kind of device, a source of sensors, a kind of chip or a kind of sound.
///
/// What the code knows is between marks on the page, and made from the code. The rest is written by hand: what the device is, what is good
/// to know, and where to read on.
struct DevicePage {
  enum Subject {
    case input(any InputWord.Type)
    case output(any OutputWord.Type)
    case chip(any ChipKind.Type)
    case source(any SensorSource.Type)
    /// One sound, and a group of such.
    case sound([Place])
  }

  /// Of the page, its picture and its example.
  let name: String
  let subject: Subject

  /// The pages of all kinds, in the order of the index.
  static func all(of kinds: KindList) -> [DevicePage] {
    // A group, as `tones`, is on the page of one, `tone`.
    let words = Grammar.sounds.map { $0.keys[0].name }
    let sounds = words.filter { !words.contains(String($0.dropLast())) || !$0.hasSuffix("s") }
    return kinds.inputs.map { DevicePage(name: $0.word, subject: .input($0)) }
      + kinds.sensors.map { DevicePage(name: "sensor-\($0.word)", subject: .source($0)) }
      + kinds.outputs.map { DevicePage(name: $0.word, subject: .output($0)) }
      + kinds.chips.map { DevicePage(name: $0.word, subject: .chip($0)) }
      + sounds.map { word in
        DevicePage(
          name: "sound-\(word)",
          subject: .sound(Grammar.sounds.filter { $0.keys[0].name == word || $0.keys[0].name == word + "s" }))
      }
  }

  /// Where the page is, without the folder of the checkout.
  var path: String { "docs/panels/devices/\(name).md" }
  var picture: String { "docs/pictures/devices/\(name).svg" }
  var panel: String { "Examples/devices/\(name).panel.yaml" }
  var scenario: String { "Examples/devices/\(name).scenario.yaml" }

  /// The headlines of every page, in this order.
  static let headlines = [
    "## Wiring", "## Example", "## Configuration", "## Events and conditions", "## In a scenario", "## Good to know",
    "## In Swift", "## See also",
  ]

  /// A page without what is written by hand.
  var skeleton: [String] {
    func part(_ name: String) -> [String] { ["<!-- device: \(name) -->", "<!-- end: \(name) -->"] }
    let contents: [String: [String]] = [
      "## Wiring": part("wiring"), "## Example": part("example"), "## Configuration": part("configuration"),
      "## Events and conditions": part("events"), "## In a scenario": part("scenario"),
      "## In Swift": part("swift"),
    ]
    var lines = ["# \(Self.gap)the title", "", "\(Self.gap)one sentence: what it is."]
    for headline in Self.headlines {
      lines += ["", headline, ""]
      lines += contents[headline] ?? ["\(Self.gap)a list."]
    }
    return lines + [""]
  }

  /// What a skeleton has where something is to be written.
  static let gap = "TO WRITE: "

  /// The heading of the page's rows in the index.
  var group: String {
    switch subject {
    case .input: "Inputs"
    case .source: "Sources of sensors"
    case .output: "Outputs"
    case .chip: "Chips"
    case .sound: "Sounds"
    }
  }

  /// The places of the keys that the page explains.
  var places: [Place] {
    switch subject {
    case .input(let word): [word.grammar]
    case .output(let word): [word.place]
    case .chip(let kind): [kind.grammar]
    case .source(let source): [source.grammar]
    case .sound(let places): places
    }
  }
}

// MARK: - What is made from the code

extension DevicePage {
  /// The parts of the page that follow from the code, by the name in the page's marks.
  ///
  /// - Parameter texts: the text of a file of the checkout.
  func parts(texts: (String) -> String) -> [(name: String, lines: [String])] {
    let tables = ReferenceTables()
    var configuration = tables.configuration(of: places)
    if case .output(let word) = subject { configuration += [""] + tables.looks(of: word) }
    return [
      ("wiring", ["![How the example is wired](../../pictures/devices/\(name).svg)"]),
      ("example", example(texts)),
      ("configuration", configuration.map(Self.moved)),
      ("events", events),
      ("scenario", table("step", "what it does", rows: steps) + expectations),
    ]
  }

  /// A link of the reference to itself, from a page of a device.
  private static func moved(_ line: String) -> String { line.replacing("](#", with: "](../reference.md#") }

  private func example(_ texts: (String) -> String) -> [String] {
    func block(_ file: String) -> [String] {
      ["<!-- \(file) -->", "```yaml"]
        + texts(file).split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast() + ["```"]
    }
    return block(panel) + ["", "A scenario tests it:", ""] + block(scenario)
      + ["", "```sh", "panel test \(panel) \(scenario)", "```"]
  }

  /// The device of the example that the page is about.
  private var device: String {
    switch subject {
    case .input(let word): Self.name(in: word.grammar)
    case .output(let word): Self.name(in: word.grammar)
    case .chip(let kind): Self.name(in: kind.grammar)
    case .source: "air"
    case .sound: "chime"
    }
  }

  /// `bell` of the sample `bell: { button: GPIO17 }`.
  private static func name(in place: Place) -> String { String(place.sample.prefix { $0 != ":" }) }

  private var isGroup: Bool {
    switch subject {
    case .input(let word): word.isGroup
    case .output(let word): word.isGroup
    default: false
    }
  }

  /// What an event of an input means.
  private static let meanings = [
    "pressed": "The button goes down.",
    "released": "The button goes up.",
    "held": "The button has been down for `hold`. This press is no click.",
    "clicked": "A press has ended that was shorter than `hold` and is no part of a double click.",
    "double-clicked": "A second press followed the first one within `double-click`.",
    "on": "The switch is switched on. `words` gives the event a different name.",
    "off": "The switch is switched off.",
    "clockwise": "The knob turns by one detent to the right.",
    "counterclockwise": "The knob turns by one detent to the left.",
    "lost": "A reading fails: the sensor, its wire or its driver is away.",
    "restored": "The first reading after `lost` succeeds.",
  ]

  /// What is said of an event without a meaning here, which a test looks for.
  static let noMeaning = "This event has no meaning in DevicePage.swift."

  private var events: [String] {
    let one = isGroup ? "\(device)(2)" : device
    switch subject {
    case .input(let word):
      guard let input = ReferenceTables().members(of: word)?.first else { return ["The sample can't be read."] }
      var rows = input.events.map { event in
        ["`\(device).\(event)`", Self.meanings[event] ?? Self.noMeaning]
      }
      if isGroup {
        rows.append(["`\(one).\(input.events[0])`", "The same events of one button, by its number."])
      }
      var conditions = input.positions.reversed().map { ["`\(one) == \($0)`", Self.position($0)] }
      if input.scale != nil {
        conditions.insert(["`\(device) > 28`", "compares the number: `==` `!=` `<` `<=` `>` `>=`"], at: 0)
      }
      if isGroup {
        conditions.append([
          "`\(device) == 2`",
          "whether button 2 reported the last event. Before the first event the number is lower than that of each button",
        ])
      }
      let heading: [String] = ["Here `\(device)` is the name of the input.", ""]
      return heading + table("event", "when it occurs", rows: rows)
        + (conditions.isEmpty
          ? [
            "",
            "A condition can't ask the position of this input. Let its events set a [value](../concepts/values.md).",
          ]
          : [""] + table("condition", "what it asks", rows: conditions))
    case .source:
      return [
        "A source has the events and conditions of its [sensor](sensor.md), here called `air`:",
        "`air.lost`, `air.restored`, `air > 28`, `air == lost` and `air == there`.",
      ] + units
    case .output(let word):
      guard let output = ReferenceTables().members(of: word)?.first else { return ["The sample can't be read."] }
      let contact =
        type(of: output).isActing
        ? [
          "",
          "A relay of an [interlock](../reference.md#interlocks) also has the conditions `\(device) == closed` and `\(device) == open`.",
          "All conditions can ask them, also those of states.",
        ] : []
      return [
        "An output has no events.",
        "`never` of a panel file, and `expect` and `wait` of a scenario, can ask what it shows, as in `\(one) == \(look(of: output))`.",
        "A condition of a state can't ask it: ask the [state](../concepts/states.md) that shows it.",
      ] + contact
    case .chip(let kind):
      guard kind.hasInputs else {
        return [
          "This chip has no events of its own. It is lost together with the chip that its lines are on:",
          "`gpio.lost`, `gpio.restored` and `gpio == lost`.",
        ]
      }
      return table(
        "event", "when it occurs",
        rows: [
          ["`\(device).lost`", "The kernel no longer has the chip, or an access failed."],
          ["`\(device).restored`", "The chip is back."],
          ["`gpio.lost`", "One of the chips is lost, and none was lost before."],
          ["`gpio.restored`", "All chips are back."],
        ])
        + [""]
        + table(
          "condition", "what it asks",
          rows: [
            ["`\(device) == lost` `\(device) == there`", "this chip"],
            ["`chip == lost`", "the panel's own chip"],
            ["`gpio == lost`", "whether any of the chips is lost"],
          ])
    case .sound:
      return table(
        "event", "when it occurs",
        rows: [
          ["`\(device).finished`", "The sound has been played to its end."],
          ["`audio.lost`", "The sound card is away."],
          ["`audio.restored`", "The sound card is back."],
        ])
        + [""]
        + table(
          "condition", "what it asks",
          rows: [["`audio == lost` `audio == there`", "whether the sound card is away"]])
    }
  }

  private static func position(_ word: String) -> String {
    switch word {
    case "pressed": "whether the button is down"
    case "released": "whether it is up"
    case "on": "whether the switch is on; with `words`, by its own word"
    case "off": "whether it is off"
    case "lost": "whether there is no reading now"
    case "there": "whether the last reading succeeded"
    default: noMeaning
    }
  }

  /// A look that an expectation names, in an example.
  private func look(of output: any OutputKind) -> String {
    let words = output.expectation.split { !$0.isLetter }
    return words.contains("number") ? "2" : words.contains("on") ? "on" : "off"
  }

  /// The units of a source whose channels the kernel names.
  private var units: [String] {
    let units: [(channel: String, divisor: Double, unit: String)]
    switch subject {
    case .source(let source) where source is IIOSource.Type: units = IIOChannel.units
    case .source(let source) where source is HwmonSource.Type: units = HwmonChannel.units
    default: return []
    }
    return ["", "The number has this unit, by the letters that the channel's name begins with:", ""]
      + table(
        "channel", "unit", "the kernel's number is divided by",
        rows: units.map { ["`\($0.channel)`", $0.unit, $0.divisor == 1 ? "1" : "\(Int($0.divisor))"] })
  }

  /// A panel file with ``device``.
  var sample: String {
    var parts = ["panel: P", "inputs:", "  left: { button: GPIO20 }", "  right: { button: GPIO21 }"]
    switch subject {
    case .input(let word): parts.append("  \(word.grammar.sample)")
    case .source(let source): parts.append("  air: { sensor: \(source.grammar.sample), min: 0, max: 99 }")
    case .output(let word): parts += ["outputs:", "  \(word.grammar.sample)"]
    case .chip(let kind):
      parts += [
        "chips: { \(kind.grammar.sample) }", "outputs: { lamp: { led: \(device).\(kind.hasInputs ? "0" : "Q0") } }",
      ]
    case .sound: parts.append("sounds: { \(device): { tone: 440Hz } }")
    }
    return (parts + ["initial: a", "states: { a: }", ""]).joined(separator: "\n")
  }

  // MARK: - Scenarios

  /// The steps of a scenario that do something to the device, each with a sentence.
  private var steps: [[String]] {
    stepTexts.map { ["`\($0.step)`", $0.meaning] }
  }

  /// Each step can be read for the panel of ``device``.
  var stepTexts: [(step: String, meaning: String)] {
    let one = isGroup ? "\(device)(2)" : device
    let gpio = [
      ("unplug: gpio", "All GPIO chips are lost. `plug: gpio` brings them back."),
      ("busy: \(one)", "While the chip is lost: another program takes the line. `idle: \(one)` releases it."),
    ]
    let contact = [
      ("jam: { \(one): POSITION }", "The contact is stuck at this position. `free: \(one)` frees it."),
      ("bounce: { \(one): 2ms }", "From now on the contact bounces for this time at each change."),
    ]
    switch subject {
    case .input(let word):
      guard let input = ReferenceTables().members(of: word)?.first else { return [] }
      switch type(of: input).control {
      case .button:
        return [
          ("press: \(one)", "The button goes down and stays down."),
          ("release: \(one)", "The button goes up."),
          ("click: \(one)", "The button goes down for 50 ms, and up. The step also waits for the debounce time."),
          ("hold: { \(one): 1500ms }", "The button goes down for this time, and up."),
        ]
          + (isGroup
            ? [
              (
                "type: { \(device): 212 }",
                "Clicks the buttons with these numbers, one after the other. Each digit is a button."
              )
            ] : [])
          + Self.at("pressed", contact) + gpio
      case .switch:
        return [
          ("switch: { \(one): on }", "The switch goes there. It counts after `debounce`; `wait: 10ms` is enough.")
        ]
          + Self.at("off", contact) + gpio
      case .knob:
        return [
          (
            "turn: { \(one): -3 }",
            "The knob turns by this number of detents, 4 ms each. A positive number is clockwise."
          ),
          ("bounce: { \(one): 1ms }", "From now on the contacts bounce for this time at each change."),
        ] + gpio
      case .sensor: return Self.sensorSteps(one)
      case .none:
        return [
          ("press: [left, right]", "Presses both buttons, one after the other, in no time."),
          ("release: left", "One button up releases the chord."),
        ]
      }
    case .source: return Self.sensorSteps(one)
    case .output(let word):
      guard let output = ReferenceTables().members(of: word)?.first else { return [] }
      return output.lines.isEmpty
        ? [("wait: 100ms", "A display needs up to 0.1 s to show a new text.")]
        : gpio
    case .chip(let kind):
      return kind.hasInputs
        ? [
          ("unplug: \(device)", "The chip is lost. `plug: \(device)` brings it back."),
          ("unplug: chip", "The panel's own chip is lost."),
          ("unplug: gpio", "All GPIO chips are lost."),
        ] : [("unplug: gpio", "The chip with the register's lines is lost. `plug: gpio` brings it back.")]
    case .sound:
      return [
        ("unplug: audio", "The sound card is lost. `plug: audio` brings it back."),
        ("stutter: 300ms", "For this time the sound card accepts no samples. The sound has a gap."),
      ]
    }
  }

  private static func at(_ position: String, _ steps: [(String, String)]) -> [(step: String, meaning: String)] {
    steps.map { ($0.0.replacing("POSITION", with: position), $0.1) }
  }

  private static func sensorSteps(_ one: String) -> [(step: String, meaning: String)] {
    [
      (
        "sense: { \(one): 28 }",
        "The sensor reads this number. Write it as the panel uses it, after `scale` and `offset`."
      ),
      ("unplug: \(one)", "The sensor is lost with its next reading. `plug: \(one)` brings it back."),
    ]
  }

  /// What `expect` of a scenario takes.
  private var expectations: [String] {
    let one = isGroup ? "\(device)(2)" : device
    let taken: String
    switch subject {
    case .input(let word):
      guard let input = ReferenceTables().members(of: word)?.first else { return [] }
      taken =
        input.scale != nil
        ? "a number, a range `25..28`, `lost`, `there` or `unknown`, as in `expect: { \(one): 25..28 }`"
        : input.positions.isEmpty
          ? "nothing for this input. Check its events with the step `heard`, or expect a value that they set"
          : input.positions.reversed().map { "`\($0)`" }.joined(separator: ", ")
            + " or `unknown`, as in `expect: { \(one): \(input.positions.last!) }`"
    case .source: taken = "a number, a range `25..28`, `lost`, `there` or `unknown`, as in `expect: { \(one): 25..28 }`"
    case .output(let word):
      guard let output = ReferenceTables().members(of: word)?.first else { return [] }
      taken =
        (isGroup ? "for each member " : "") + output.expectation.replacing("...", with: "..")
        + (isGroup ? ". Write one look for all members, or a list: `expect: { \(device): [on, off] }`" : "")
    case .chip(let kind):
      taken =
        kind.hasInputs
        ? "`lost` or `there`, as in `expect: { \(one): lost }`" : "the devices at its outputs, and `gpio: lost`"
    case .sound:
      taken =
        "exactly the sounds that play, as in `expect: { playing: [ \(device) ] }`; for `audio`, `lost` or `there`"
    }
    return ["", "`expect` takes: \(taken)."]
  }

  private func table(_ titles: String..., rows: [[String]]) -> [String] {
    Markdown.table(titles, rows: rows)
  }
}
