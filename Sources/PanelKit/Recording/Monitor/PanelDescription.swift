import CycleCore
import HardwareDrivers
import PanelEngine
import PanelKinds
import PanelLanguage
import PanelRun

/// The description from which a page draws a panel: `panel` in the reply to `GET /api/panel`.
struct PanelDescription {
  private let panel: PanelDefinition
  private let places: DeviceLensMap
  private let layout: FrameLayout
  private let file: String

  /// - Parameter file: the panel file's path; empty for the sample panel.
  init(_ application: PanelApplication, file: String) {
    panel = application.panel
    places = application.lensPlaces
    layout = FrameLayout(FrameSizes(of: panel), valueCount: panel.values.count)
    self.file = file
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("name", panel.name)
    writer.field("file", file)
    writer.field("chip", panel.chip)
    writer.list("inputs", panel.inputs.indices) { write(input: $1, to: &$0) }
    writer.list("outputs", panel.outputs.indices) { write(output: $1, to: &$0) }
    writer.list("sounds", panel.sounds.indices) { write(sound: $1, to: &$0) }
    writer.list("values", panel.values.indices) { write(value: $1, to: &$0) }
    writer.list("regions", panel.regions.indices) { write(region: $1, to: &$0) }
    writer.list("states", panel.states) { write($1, to: &$0) }
    writer.endObject()
  }

  // MARK: - Devices

  private func write(input: Int, to writer: inout JSONWriter) {
    let (name, device) = (panel.inputs[input].name, panel.inputs[input].device)
    writer.beginObject()
    writer.field("name", name)
    writer.field("kind", type(of: device).word)
    writer.field("control", "\(type(of: device).control)")
    write(lines: device.lines, chip: panel.chip(of: device), places.inputs[input], to: &writer)
    writer.field("column", Int(layout.position) + input)
    writer.list("events", device.events) { $0.write($1) }
    if !device.positions.isEmpty { writer.list("positions", device.positions) { $0.write($1) } }
    if !device.carriers.isEmpty { writer.list("carriers", device.carriers) { $0.write($1) } }
    if let hold = device.gesture?.hold { writer.field("hold", Int(hold.wholeNanoseconds)) }
    if let scale = device.scale {
      writer.field("reading", Int(layout.reading) + input)
      writer.field("min", scale.range.lowerBound)
      writer.field("max", scale.range.upperBound)
      writer.field("decimals", scale.decimals)
    }
    writer.endObject()
  }

  private func write(output: Int, to writer: inout JSONWriter) {
    let (name, device) = (panel.outputs[output].name, panel.outputs[output].device)
    writer.beginObject()
    writer.field("name", name)
    writer.field("kind", type(of: device).word)
    writer.field("picture", device.pagePicture.word)
    write(lines: device.lines, chip: panel.chip(of: device), places.outputs[output], to: &writer)
    if case .bar(let lamps) = device.pagePicture { writer.field("lamps", lamps) }
    writer.endObject()
  }

  private func write(lines: [String], chip: Int?, _ place: DeviceLensMap.Position, to writer: inout JSONWriter) {
    writer.list("lines", lines) { $0.write($1) }
    if let chip { writer.field("chip", panel.chips[chip].name) }
    writer.field("lens", place.lens)
    writer.field("index", place.index)
    writer.key(plain: "shared")
    writer.write(place.isShared)
  }

  private func write(sound: Int, to writer: inout JSONWriter) {
    let of = panel.sounds[sound]
    writer.beginObject()
    writer.field("name", of.name)
    switch of.source {
    case .file(let path): writer.field("file", path)
    case .tone(let hertz):
      writer.key(plain: "tone")
      writer.write(hertz)
    }
    if let length = of.length { writer.field("length", Int(length.wholeNanoseconds)) }
    writer.key(plain: "loop")
    writer.write(of.loop)
    writer.field("starts", layout.place(.start, of: sound))
    writer.field("ended", layout.place(.ended, of: sound))
    writer.endObject()
  }

  private func write(value: Int, to writer: inout JSONWriter) {
    let of = panel.values[value]
    writer.beginObject()
    writer.field("name", of.name)
    writer.field("min", of.min)
    writer.field("max", of.max)
    writer.field("initial", of.initial)
    if of.isDuration { writer.field("unit", "ms") }
    if !of.unit.isEmpty { writer.field("unit", of.unit) }
    if of.decimals > 0 { writer.field("decimals", of.decimals) }
    writer.field("column", Int(layout.value) + value)
    if let list = of.list {
      writer.field("elements", Int(layout.element) + list.first)
      writer.field("capacity", list.capacity)
    }
    writer.endObject()
  }

  // MARK: - The statechart

  private func write(region: Int, to writer: inout JSONWriter) {
    let of = panel.regions[region]
    writer.beginObject()
    writer.key(plain: "name")
    if let name = of.name { writer.write(name) } else { writer.writeNull() }
    writer.field("owner", of.owner)
    writer.field("initial", of.initial)
    writer.field("column", FrameLayout.place(.state, of: region))
    writer.field("entries", FrameLayout.place(.entry, of: region))
    writer.field("entered", FrameLayout.place(.entered, of: region))
    writer.list("states", of.states) { $0.write($1) }
    writer.endObject()
  }

  private func write(_ state: PanelDefinition.State, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("name", state.name)
    writer.list("show", state.show) { write($1, to: &$0) }
    writer.list("play", state.play) { writer, playing in
      switch playing {
      case .sound(let sound): writer.write(panel.sounds[sound].name)
      case .member(let group, _, _): writer.write(panel.soundGroups[group].name)
      }
    }
    writer.key(plain: "on")
    writer.beginArray()
    for reaction in state.on {
      for transition in reaction.transitions {
        writer.beginObject()
        writer.field("event", panel.name(of: reaction.event))
        write(transition, to: &writer)
        writer.endObject()
      }
    }
    writer.endArray()
    writer.key(plain: "after")
    writer.beginArray()
    for deadline in state.after {
      for transition in deadline.transitions {
        writer.beginObject()
        if case .fixed(let span) = deadline.delay { writer.field("ns", Int(span.wholeNanoseconds)) }
        if deadline.recurrence != .once {
          writer.key(plain: "repeats")
          writer.write(true)
        }
        write(transition, to: &writer)
        writer.endObject()
      }
    }
    writer.endArray()
    writer.endObject()
  }

  private func write(_ transition: PanelDefinition.Transition, to writer: inout JSONWriter) {
    if let target = transition.target {
      writer.field("go", panel.states[target.state].name)
      writer.field("to", target.state)
    }
    if transition.condition != nil {
      writer.key(plain: "if")
      writer.write(true)
    }
    if !transition.assignments.isEmpty {
      writer.list("set", transition.assignments) { $0.write(panel.values[$1.value].name) }
    }
  }

  private func write(_ show: PanelDefinition.Show, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("output", show.output)
    writer.key(plain: "look")
    write(show.rule, to: &writer)
    writer.endObject()
  }

  /// Writes a look, or the looks of which conditions choose one: `{"when":[{"if":CONDITION,"look":LOOK}],"else":LOOK}`.
  private func write(_ rule: AppearanceRule, to writer: inout JSONWriter) {
    switch rule {
    case .always(let appearance): write(appearance, to: &writer)
    case .first(let choices, let otherwise):
      writer.beginObject()
      writer.list("when", choices) { writer, choice in
        writer.beginObject()
        writer.key(plain: "if")
        ConditionDescription(layout: layout).write(choice.condition, to: &writer)
        writer.key(plain: "look")
        write(choice.rule, to: &writer)
        writer.endObject()
      }
      writer.key(plain: "else")
      write(otherwise, to: &writer)
      writer.endObject()
    }
  }

  private func write(_ look: OutputAppearance, to writer: inout JSONWriter) {
    switch look {
    case .off: return writer.write(plain: "off")
    case .on: return writer.write(plain: "on")
    default: break
    }
    writer.beginObject()
    switch look {
    case .blink(let on, let off, _): writer.list("blink", [on, off]) { $0.write($1.wholeNanoseconds / 1_000_000) }
    case .pulse(let length): writer.field("pulse", Int(length.wholeNanoseconds / 1_000_000))
    case .level(let level):
      writer.key(plain: "level")
      writer.write(level)
    case .count(let count): writer.field("count", count)
    case .value(let value): writer.field("value", panel.values[value].name)
    case .special(let special):
      writer.field("text", look.text)
      if let colour = special.value.colour { writer.field("colour", colour.hexadecimal) }
    case .off, .on, .writing: writer.field("text", look.text)
    }
    writer.endObject()
  }
}

extension JSONWriter {
  fileprivate mutating func field(_ name: StaticString, _ value: Int) {
    key(plain: name)
    write(value)
  }

  fileprivate mutating func field(_ name: StaticString, _ value: String) {
    key(plain: name)
    write(value)
  }

  fileprivate mutating func list<Elements: Sequence>(
    _ name: StaticString, _ elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
  ) {
    key(plain: name)
    beginArray()
    for element in elements { body(&self, element) }
    endArray()
  }
}
