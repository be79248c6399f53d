import HardwareDrivers
import HardwareLinux

@testable import PanelEngine
@testable import PanelKinds
@testable import PanelLanguage

/// A page below `docs/panels/devices`: a kind of device, a source of sensors, a kind of chip or a kind of sound.
///
/// What the code knows is between marks on the page, and made from the code. The rest is written by hand: what the
/// device is, what is good to know, and where to read on.
struct DevicePage {
  enum Subject {
    case input(any InputDeclaration.Type)
    case output(any OutputDeclaration.Type)
    case chip(any ChipKind.Type)
    case source(any SensorSource.Type)
    /// One sound, and a group of such.
    case sound([FieldSet])
  }

  /// Of the page, its picture and its example.
  let name: String
  let subject: Subject

  /// The pages of all kinds, in the order of the index.
  static func all(of kinds: KindList) -> [DevicePage] {
    // A group, as `tones`, is on the page of one, `tone`.
    let words = Grammar.sounds.map { $0.keys[0].name }
    let sounds = words.filter { !words.contains(String($0.dropLast())) || !$0.hasSuffix("s") }
    let inputs = kinds.inputs.map { DevicePage(name: $0.word, subject: .input($0)) }
    let sensors = SensorSourceReader(of: kinds).sources.map {
      DevicePage(name: "sensor-\($0.word)", subject: .source($0))
    }
    return inputs + sensors
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
  var places: [FieldSet] {
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
  private static func name(in place: FieldSet) -> String { String(place.sample.prefix { $0 != ":" }) }

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
    "held": "The button has been down for the time `hold`. This press causes no `clicked`.",
    "clicked": "A press that was shorter than `hold` has ended, and this press is not part of a double click.",
    "repeated":
      "The button stays down: this occurs the time `repeat` after `held`, and then again and again until the release.",
    "triple-clicked": "Three presses followed one another, each within the time `double-click` after a release.",
    "quadruple-clicked": "Four presses followed one another in the same way.",
    "quintuple-clicked": "Five presses followed one another in the same way.",
    "double-clicked": "A second press followed the first one within the time `double-click`.",
    "on": "The switch is switched on. The setting `words` gives the event a different name.",
    "off": "The switch is switched off. The setting `words` gives the event a different name.",
    "clockwise": "The knob turns by one detent to the right.",
    "counterclockwise": "The knob turns by one detent to the left.",
    "lost":
      "A reading fails, for example because the sensor, its wire or its driver is missing. It does not occur if no "
      + "reading has succeeded before. `when: { air == lost: … }` reacts in both cases.",
    "arrived": "The device has reached its position, by the time that its speed takes. Nothing measures the position.",
    "restored": "The first reading after `lost` succeeds.",
    "changed":
      "A reading differs from the last one, in the decimals of the sensor. It does not occur at the first reading, or after `lost`.",
    "anna": "The reader reads the code that has this name under `known`.",
    "other": "The reader reads a code that is not under `known`.",
  ]

  /// What an event of a chord means, where it differs from that of one button.
  private static let meaningsOfChord = [
    "pressed": "The last button of the chord goes down, within the time `within` after the first one.",
    "released": "One button of the chord goes up.",
    "held": "All buttons of the chord have been down for the time `hold`. This press causes no `clicked`.",
  ]

  /// A sentence about a button, for the device of the page.
  private func adapted(_ sentence: String) -> String {
    guard isGroup, case .input(let word) = subject else { return sentence }
    let one = sentence.replacing("The button", with: "A button")
    return ["keypad", "keys"].contains(word.word)
      ? one.replacing("button", with: "key").replacing("Button", with: "Key") : one
  }

  /// What is said of an event without a meaning here, which a test looks for.
  static let noMeaning = "This event has no meaning in DevicePage.swift."

  private var events: [String] {
    let one = isGroup ? "\(device)(2)" : device
    switch subject {
    case .input(let word):
      guard let input = ReferenceTables().members(of: word)?.first else { return ["The sample can't be read."] }
      let isChord = type(of: input).control == .none
      var rows = input.events.map { event in
        let ofChord = isChord ? Self.meaningsOfChord[event] : nil
        let ofSelector = type(of: input).control == .selector ? Self.event(event, ofSelector: input) : nil
        return ["`\(device).\(event)`", adapted(ofChord ?? ofSelector ?? Self.meanings[event] ?? Self.noMeaning)]
      }
      if isGroup {
        rows.append([
          "`\(one).\(input.events[0])`",
          adapted("Button 2 goes down. Write the other events of one button in the same way."),
        ])
      }
      var conditions = input.positions.reversed().map {
        [
          "`\(one) == \($0)`",
          type(of: input).control == .selector
            ? Self.position($0, ofSelector: input) : isChord ? Self.positionOfChord($0) : position($0),
        ]
      }
      if input.scale != nil {
        conditions.insert(
          ["`\(device) > 28`", "The number is above 28. You can also write `==` `!=` `<` `<=` `>=`."], at: 0)
      }
      if isGroup {
        conditions.append([
          "`\(device) == 2`",
          adapted(
            "The last event came from button 2. Before the first event, `\(device)` is one less than the lowest number."
          ),
        ])
      }
      let heading: [String] = ["In the tables of this page, `\(device)` is the name of the input.", ""]
      return heading + table("event", "when it occurs", rows: rows)
        + (conditions.isEmpty
          ? [
            "",
            "No condition can use this input, because the input has no position.",
            "Let its events change a [value](../concepts/values.md), and use the value in conditions.",
          ]
          : [""] + table("condition", "when it is true", rows: conditions))
    case .source:
      return [
        "The events and conditions are those of the [sensor](sensor.md) that uses this source.",
        "If the name of the sensor is `air`, they are:",
        "`air.lost`, `air.restored`, `air.changed`, `air > 28`, `air == lost` and `air == there`.",
      ] + units
    case .output(let word):
      guard let output = ReferenceTables().members(of: word)?.first else { return ["The sample can't be read."] }
      let contact =
        type(of: output).isInterlockable
        ? [
          "",
          "If the relay has `rest` or is in an [interlock](../reference.md#interlocks), two conditions check its contact:",
          "`\(one) == closed` and `\(one) == open`. You can use them everywhere, also in transitions.",
        ] : []
      let rows = output.events.map { ["`\(device).\($0)`", Self.meanings[$0] ?? Self.noMeaning] }
      let without =
        name == "buzzer"
        ? "Only a buzzer with `tones: true` has an event: `\(device).finished` occurs at the end of a melody."
        : "This output has no events."
      let heading = rows.isEmpty ? [without] : table("event", "when it occurs", rows: rows) + [""]
      return heading + [
        "The condition `\(one) == \(look(of: output))` checks what the output shows.",
        "You can use this condition in [`never`](../reference.md#never), in the `when` of a",
        "[look](../concepts/looks.md), and in the steps `expect` and `wait` of a scenario.",
        "A transition can't use it. There, check the [state](../reference.md#conditions-and-numbers) that shows the",
        "output, such as `state == open`.",
      ] + contact
    case .chip(let kind):
      guard !kind.ports.isEmpty else {
        return [
          "This chip has no events of its own. When the GPIO chip with its lines is lost, this chip is lost, too.",
          "Use the events `gpio.lost` and `gpio.restored`, and the condition `gpio == lost`.",
        ]
      }
      return table(
        "event", "when it occurs",
        rows: [
          ["`\(device).lost`", "The kernel no longer has the chip `\(device)`, or an access to this chip failed."],
          ["`\(device).restored`", "The chip `\(device)` is back."],
          ["`gpio.lost`", "A GPIO chip is lost while all other GPIO chips are there."],
          ["`gpio.restored`", "All GPIO chips are back."],
        ])
        + [""]
        + table(
          "condition", "when it is true",
          rows: [
            ["`\(device) == lost`", "The chip `\(device)` is lost."],
            ["`\(device) == there`", "The chip `\(device)` is not lost."],
            ["`chip == lost`", "The GPIO chip of the Pi is lost. Panel files call this chip `chip`."],
            ["`gpio == lost`", "At least one GPIO chip is lost: that of the Pi, or one of `chips`."],
          ])
    case .sound:
      let heading: [String] = ["In the tables of this page, `\(device)` is the name of the sound.", ""]
      return heading
        + table(
          "event", "when it occurs",
          rows: [
            ["`\(device).finished`", "The sound has been played to its end."],
            ["`audio.lost`", "The sound card is lost: the panel can't use it."],
            ["`audio.restored`", "The sound card is back."],
          ])
        + [""]
        + table(
          "condition", "when it is true",
          rows: [
            ["`audio == lost`", "The sound card is lost."], ["`audio == there`", "The sound card is not lost."],
          ])
    }
  }

  private func position(_ word: String) -> String {
    switch word {
    case "pressed": isGroup ? adapted("Button 2 is down.") : "The button is down."
    case "released": isGroup ? adapted("Button 2 is up.") : "The button is up."
    case "on": "The switch is on. With `words`, write your own word instead of `on`."
    case "off": "The switch is off. With `words`, write your own word instead of `off`."
    case "lost": "The last reading failed."
    case "there": "The last reading succeeded."
    case "anna": "The last code that was read is the one with this name."
    case "other": "The last code that was read is not under `known`."
    default: Self.noMeaning
    }
  }

  /// An event of a selector switch, or of a tag reader, which has no lines.
  private static func event(_ word: String, ofSelector input: any InputKind) -> String {
    guard input.lines.isEmpty else { return "The switch has been turned to this position." }
    return switch word {
    case "gone": "Two searches have not found the tag."
    case "other": "A tag that is not under `known` has been put on the reader."
    default: "The tag with this name has been put on the reader."
    }
  }

  private static func position(_ word: String, ofSelector input: any InputKind) -> String {
    guard input.lines.isEmpty else { return "The switch is in this position." }
    return switch word {
    case "none": "No tag is on the reader."
    case "other": "A tag that is not under `known` is on the reader."
    default: "The tag with this name is on the reader."
    }
  }

  private static func positionOfChord(_ word: String) -> String {
    word == "pressed" ? "The chord has reported `pressed`, and not yet `released`." : "The chord is not pressed."
  }

  /// A look that an expectation names, in an example.
  private func look(of output: any OutputKind) -> String {
    let words = output.expectation.split { !$0.isLetter }
    if words.contains("number") { return "2" }
    return words.contains("on") ? "on" : words.contains("off") ? "off" : String(words.first ?? "off")
  }

  /// The units of a source whose channels the kernel names.
  private var units: [String] {
    let units: [(channel: String, divisor: Double, unit: String)]
    switch subject {
    case .source(let source) where source is IIOSource.Type: units = IIOChannel.units
    case .source(let source) where source is HwmonSource.Type: units = HwmonChannel.units
    default: return []
    }
    return ["", "The unit of the number depends on the first letters of the channel's name:", ""]
      + table(
        "first letters", "unit of the number", "the kernel's number is divided by",
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
      parts += kind.hasOutputs ? ["outputs: { lamp: { led: \(device).0 } }"] : ["  key: { button: \(device).0 }"]
      parts.append("chips: { \(kind.grammar.sample) }")
    case .sound: parts.append("sounds: { \(device): { tone: 440Hz } }")
    }
    return (parts + ["initial: a", "states: { a: }", ""]).joined(separator: "\n")
  }

  // MARK: - Scenarios

  /// The steps of a scenario that do something to the device, each with a sentence.
  private var steps: [[String]] {
    stepTexts.map { ["`\($0.step)`", $0.meaning] }
  }

  /// Whether each device of the kind has one line.
  private var hasOneLine: Bool {
    switch subject {
    case .input(let word): ReferenceTables().members(of: word)?.first?.lines.count == 1
    case .output(let word): ReferenceTables().members(of: word)?.first?.lines.count == 1
    case .source, .chip, .sound: false
    }
  }

  /// Each step can be read for the panel of ``device``.
  var stepTexts: [(step: String, meaning: String)] {
    let one = isGroup ? "\(device)(2)" : device
    let gpio = [
      (
        "unplug: gpio",
        "The panel loses all GPIO chips: that of the Pi, and all expanders. `plug: gpio` brings the chips back."
      ),
      (
        "busy: \(one)",
        """
        Another program takes \(hasOneLine ? "the line" : "all lines of this device"). Write this step after \
        `unplug: gpio`, because no program can take a line that the panel holds. `idle: \(one)` ends it.
        """
      ),
    ]
    let contact = [
      ("jam: { \(one): POSITION }", "The contact is stuck at this position. `free: \(one)` frees the contact."),
      (
        "bounce: { \(one): 2ms }",
        "From now on, the contact bounces (opens and closes quickly) for this time at each change."
      ),
    ]
    let keys = [
      ("unplug: keys", "The panel loses all input devices. `plug: keys` brings the devices back.")
    ]
    switch subject {
    case .input(let word):
      guard let input = ReferenceTables().members(of: word)?.first else { return [] }
      switch type(of: input).control {
      case .button:
        let button = isGroup ? adapted("Button 2") : "The button"
        let typing = adapted("The step clicks one button after the other. Each digit is the number of a button.")
        return [
          ("press: \(one)", "\(button) goes down and stays down."),
          ("release: \(one)", "\(button) goes up."),
          ("click: \(one)", "\(button) goes down for 50 ms, and up again. The step also waits for the debounce time."),
          ("hold: { \(one): 1500ms }", "\(button) goes down for this time, and up again."),
        ]
          + (isGroup ? [("type: { \(device): 212 }", typing)] : [])
          + (input.lines.isEmpty
            ? Self.at("pressed", Array(contact.prefix(1))) + keys : Self.at("pressed", contact) + gpio)
      case .switch:
        return [
          (
            "switch: { \(one): on }",
            "The switch goes to this position. Write `wait: 10ms` after this step: the change counts after `debounce`."
          )
        ]
          + Self.at("off", contact) + gpio
      case .selector where input.lines.isEmpty:
        return [
          (
            "switch: { \(one): \(input.positions.last ?? "") }",
            "This tag is on the reader from now on. Write `wait: 600ms` after this step. `none` takes the tag away, and "
              + "`other` is a tag without a name."
          ),
          ("unplug: spi", "The panel loses the SPI bus. `plug: spi` brings the bus back."),
        ]
      case .selector:
        return [
          (
            "switch: { \(one): \(input.positions[1]) }",
            "The switch turns to this position. Write `wait: 60ms` after this step: a position counts after `debounce`, "
              + "and the position with `none` after `gap`."
          )
        ] + gpio
      case .knob:
        return [
          (
            "turn: { \(one): -3 }",
            "The knob turns by this number of detents, 4 ms each. A positive number turns it clockwise."
          ),
          (
            "bounce: { \(one): 1ms }",
            "From now on, the contacts bounce (open and close quickly) for this time at each change."
          ),
        ] + gpio
      case .sensor: return sensorSteps(one)
      case .events:
        return [
          ("event: { \(one): \(input.eventExample) }", "The reader reads a code with this name, or an `other` one.")
        ]
          + keys
      case .none:
        return [
          ("press: [left, right]", "Both buttons go down, one immediately after the other."),
          ("release: left", "One button goes up, which releases the chord."),
        ]
      }
    case .source: return sensorSteps(one)
    case .output(let word):
      guard let output = ReferenceTables().members(of: word)?.first else { return [] }
      let loss =
        type(of: output).ports.contains { $0 == PWMPort.self }
        ? [("unplug: pwm", "The panel loses all PWM channels. `plug: pwm` brings the channels back.")] : []
      let needsChannel = output.hardware.contains { $0.port is PWMPort }
      if name == "level" {
        return [
          ("unplug: i2c", "The panel loses all I²C buses, and the output is `off`. `plug: i2c` brings the buses back.")
        ]
      }
      let lag = Quantity.text(output.observed.lag)
      return output.lines.isEmpty
        ? [("wait: \(lag)", "Write this step before you expect something new. The output shows it within \(lag).")]
        : (needsChannel ? [] : gpio) + loss
    case .chip(let kind):
      return !kind.ports.isEmpty
        ? [
          ("unplug: \(device)", "The panel loses the chip `\(device)`. `plug: \(device)` brings the chip back."),
          ("unplug: chip", "The panel loses the GPIO chip of the Pi."),
          ("unplug: gpio", "The panel loses all GPIO chips."),
        ]
        : [
          (
            "unplug: gpio",
            "The panel loses the GPIO chip with the register's lines. `plug: gpio` brings the chip back."
          )
        ]
    case .sound:
      return [
        ("unplug: audio", "The panel loses the sound card. `plug: audio` brings the card back."),
        ("stutter: 300ms", "For this time, the sound card accepts no data. The sound has a gap."),
      ]
    }
  }

  private static func at(_ position: String, _ steps: [(String, String)]) -> [(step: String, meaning: String)] {
    steps.map { ($0.0.replacing("POSITION", with: position), $0.1) }
  }

  private func sensorSteps(_ one: String) -> [(step: String, meaning: String)] {
    [
      (
        "sense: { \(one): 28 }",
        "The sensor reads this number. Write the number as the panel uses it, after `scale` and `offset`."
      ),
      (
        "unplug: \(one)",
        name == "sensor-pulses"
          ? "The wire is cut: there are no more pulses. The sensor is not lost, because a part at rest is the same. "
            + "It is lost with its chip: `unplug: gpio`. `plug: \(one)` repairs the wire."
          : "The sensor is lost, at the latest at its next reading. `plug: \(one)` brings the sensor back."
      ),
    ]
  }

  /// What `expect` of a scenario takes.
  private var expectations: [String] {
    let one = isGroup ? "\(device)(2)" : device
    let taken: String
    switch subject {
    case .input(let word):
      guard let input = ReferenceTables().members(of: word)?.first else { return [] }
      if input.scale != nil {
        taken = Self.expectationOfSensor(one)
      } else if let position = input.positions.last {
        let positions = input.positions.reversed().map { "`\($0)`" }.joined(separator: ", ")
        let words =
          word.word == "switch"
          ? ". With `words`, write your own words instead of `on` and `off`, also in the steps `switch` and `jam`" : ""
        taken = """
          \(positions) or `unknown`, as in `expect: { \(one): \(position) }`. \
          `unknown` means that the panel does not know the position yet\(words)
          """
      } else {
        taken = "nothing for this input. Check its events with the step `heard`, or expect a value that they set"
      }
    case .source: taken = name == "sensor-pulses" ? Self.expectationOfPulses(one) : Self.expectationOfSensor(one)
    case .output(let word):
      guard let output = ReferenceTables().members(of: word)?.first else { return [] }
      let words = Self.coded(output.expectation.replacing("...", with: ".."))
      if isGroup {
        taken = """
          for each member \(words). One word is for all members: `expect: { \(device): off }`. A list has one element \
          for each member: `expect: { \(device): [on, off] }`
          """
      } else if output.expectation.contains("number of lamps") {
        taken = "the number of lit lamps, as in `expect: { \(device): 2 }`"
      } else if output is any DisplayKind {
        taken = "\(words). You can also write the rows as a list: `expect: { \(device): [ Level 3, Ready ] }`"
      } else {
        taken = words
      }
    case .chip(let kind):
      taken =
        !kind.ports.isEmpty
        ? "`lost` or `there`, as in `expect: { \(one): lost }`"
        : "what the devices at the outputs of the register show, such as `lamp: on`, and `gpio: lost`"
    case .sound:
      taken = """
        all sounds that play now, as in `expect: { playing: [ \(device) ] }`. For the sound card, write `audio: lost` or \
        `audio: there`
        """
    }
    return ["", "`expect` takes: \(taken)."]
  }

  private static func expectationOfSensor(_ one: String) -> String {
    """
    a number, a range `25..28`, `lost`, `there` or `unknown`, as in `expect: { \(one): 25..28 }`. The sensor is \
    `unknown` before the first reading, `there` after a reading that succeeded, and `lost` after a reading that failed
    """
  }

  /// A pulse counter has the number 0 from the start on, and is lost only with its chip.
  private static func expectationOfPulses(_ one: String) -> String {
    """
    a number, a range `25..28`, `lost` or `there`, as in `expect: { \(one): 25..28 }`. The sensor reads 0 when the \
    panel starts, and is `lost` only while its GPIO chip is lost
    """
  }

  private static let codeWords: Set<String> = [
    "off", "on", "blinking", "pulsing", "fading", "beeping", "rest", "moving", "stop", "brake", "hold", "chase",
    "rainbow",
  ]

  /// The text of an expectation, with the words and ranges that a scenario contains as code.
  private static func coded(_ text: String) -> String {
    text.split(separator: " ").map { part in
      let word = part.prefix { $0 != "," }
      let isCode = Self.codeWords.contains(String(word)) || word.contains("..")
      return isCode ? "`\(word)`\(part.dropFirst(word.count))" : String(part)
    }.joined(separator: " ")
  }

  private func table(_ titles: String..., rows: [[String]]) -> [String] {
    Markdown.table(titles, rows: rows)
  }
}
