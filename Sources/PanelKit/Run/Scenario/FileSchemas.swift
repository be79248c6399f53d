import HardwareDrivers
import PanelKinds
import PanelLanguage

/// The JSON Schemas (draft 7) of the panel file and the scenario file, for editors. They contain the same rules as the
/// grammar tables. Names and statecharts are checked only by `panel check`.
package struct FileSchemas {
  package var kinds = KindList.standard

  package init(kinds: KindList = KindList.standard) {
    self.kinds = kinds
  }

  package var panel: JSON {
    schema(
      of: Grammar.panel,
      parts: [
        .chip, .input, .output, .sound, .value, .state, .region, .look, .row, .assignment, .transition, .interlock,
      ])
  }

  package var scenario: JSON { schema(of: Grammar.scenario, parts: [.step]) }

  private func schema(of place: FieldSet, parts: [Shape.Part]) -> JSON {
    guard case .object(let members) = fields(place) else { preconditionFailure("a map is described by an object") }
    let definitions = parts.map { JSON.Member(name: $0.rawValue, value: definition(of: $0)) }
    return .object(
      [
        .init(name: "$schema", value: .text("http://json-schema.org/draft-07/schema#")),
        .init(name: "title", value: .text(place.name)),
      ] + members + [.init(name: "definitions", value: .object(definitions))])
  }

  private func definition(of part: Shape.Part) -> JSON {
    switch part {
    case .input: .object(["anyOf": .list(kinds.inputs.map { device($0.place(in: kinds)) })])
    case .output: .object(["anyOf": .list(kinds.outputs.map { device($0.place) })])
    case .chip: .object(["anyOf": .list(kinds.chips.map { device($0.grammar) })])
    case .sound: .object(["anyOf": .list(Grammar.sounds.map { device($0) })])
    case .value: .object(["anyOf": .list([fields(Grammar.value), fields(Grammar.time), fields(Grammar.list)])])
    case .state: fields(Grammar.state)
    case .region: fields(Grammar.region)
    case .look: .object(["anyOf": .list(kinds.outputs.map { schema(of: $0.shown) } + [fields(Grammar.choice)])])
    case .row: schema(of: .oneOf([.text, .nothing, .fields(Grammar.rowChoice)]))
    case .assignment: schema(of: .oneOf([.text, .list(of: .text)]))
    case .transition:
      schema(
        of: .oneOf([.name, .fields(Grammar.transition), .list(of: .oneOf([.name, .fields(Grammar.transition)]))]))
    case .interlock: fields(Grammar.interlock)
    case .step: step
    }
  }

  /// Returns the schema of a device. The kind's own key selects the kind, so it is required.
  private func device(_ place: FieldSet) -> JSON {
    var place = place
    place.keys[0].isRequired = true
    return fields(place)
  }

  private func fields(_ place: FieldSet) -> JSON {
    let required = place.keys.filter(\.isRequired).map(\.name)
    let properties = place.keys.map { key in
      JSON.Member(name: key.name, value: described(schema(of: key.shape), key.description))
    }
    let canBeEmpty = required.isEmpty && place.alternatives.isEmpty
    return .object([
      "type": canBeEmpty ? .texts(["object", "null"]) : .text("object"),
      "properties": .object(properties),
      "required": required.isEmpty ? nil : .texts(required),
      "anyOf": place.alternatives.isEmpty
        ? nil : .list(place.alternatives.map { .object(["required": .texts($0)]) }),
      "additionalProperties": .flag(false),
    ])
  }

  private func described(_ schema: JSON, _ text: String) -> JSON {
    guard case .object(let members) = schema else { preconditionFailure("a value is described by an object") }
    return .object([.init(name: "description", value: .text(text))] + members)
  }

  private func schema(of shape: Shape) -> JSON {
    switch shape {
    case .any: .object([:])
    case .nothing: .object(["type": .text("null")])
    case .text: .object(["type": .texts(["string", "number", "boolean"])])
    case .name, .member, .settable, .statePath, .value, .duration, .span, .spans, .delay, .frequency, .decibels,
      .numbers, .colour,
      .tone,
      .line,
      .event:
      .object(["type": .text("string"), "pattern": .text(Self.pattern(of: shape))])
    case .flag: .object(["type": .text("boolean")])
    case .number(let range):
      .object(["type": .text("number"), "minimum": .decimal(range.lowerBound), "maximum": .decimal(range.upperBound)])
    case .whole(let range):
      .object(["type": .text("integer"), "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)])
    case .words(let words): .object(["enum": .texts(words)])
    case .list(let element, let count):
      .object([
        "type": .text("array"), "items": schema(of: element), "minItems": least(count), "maxItems": most(count),
      ])
    case .map(let keys, let value, let count): map(keys: keys, to: schema(of: value), count)
    case .fields(let place): fields(place)
    case .oneOf(let shapes): .object(["anyOf": .list(shapes.map { schema(of: $0) })])
    case .part(let part): .object(["$ref": .text("#/definitions/\(part.rawValue)")])
    }
  }

  private func map(keys: Shape, to value: JSON, _ count: ClosedRange<Int>) -> JSON {
    .object([
      "type": count.lowerBound > 0 ? .text("object") : .texts(["object", "null"]),
      "patternProperties": .object([.init(name: Self.pattern(of: keys), value: value)]),
      "additionalProperties": .flag(false), "minProperties": least(count), "maxProperties": most(count),
    ])
  }

  private func least(_ count: ClosedRange<Int>) -> JSON? { count.lowerBound > 0 ? .number(count.lowerBound) : nil }
  private func most(_ count: ClosedRange<Int>) -> JSON? { count.upperBound < .max ? .number(count.upperBound) : nil }

  // MARK: - Patterns

  private static let name = "[A-Za-z][A-Za-z0-9-]{0,63}"
  private static let number = #"[+-]?[0-9]{1,9}(\.[0-9]{1,9})?"#
  private static let duration = #"\+?[0-9]{1,9}(\.[0-9]{1,6})?(ms|s|m|h)"#
  /// The event of a single device, or of one in a group: `bell.pressed`, `pad(3).pressed`.
  private static let event = name + #"(\([^()]*\))?\.[A-Za-z-]+"#

  /// Returns a regular expression (ECMA 262) for a text of this shape.
  private static func pattern(of shape: Shape) -> String {
    switch shape {
    case .name: "^\(name)$"
    case .member: #"^\#(name)(\(([0-9]{1,9}|\#(name))\))?$"#
    case .settable: #"^\#(name)( *\(.*\))?$"#
    case .statePath: #"^\#(name)((\([0-9]{1,2}\))?\.\#(name))?$"#
    case .value: #"^\#(name)(\.count)?$"#
    case .duration, .span: "^\(duration)$"
    case .spans: #"^\#(duration) *\.\. *\#(duration)$"#
    case .numbers: #"^\#(number) *\.\. *\#(number)$"#
    case .delay: #"^(\#(duration)( *\.\. *\#(duration))?|\#(name))$"#
    case .frequency: #"^\+?[0-9]{1,9}(\.[0-9]{1,6})?k?Hz$"#
    case .decibels: #"^[+-]?[0-9]{1,9}(\.[0-9]{1,6})?dB$"#
    case .colour: "^(#[0-9A-Fa-f]{6}|off|\(Colour.names.map(\.name).joined(separator: "|")))$"
    case .tone: "^[A-G][#b]?[0-9]$"
    case .line: #"^([A-Za-z][A-Za-z0-9_./+#-]{0,30}|gpiochip[0-9]{1,5}:[0-9]{1,5}|\#(name)\.[A-Za-z0-9_./+#-]{1,31})$"#
    case .event: #"^ *\#(event) *(\| *\#(event) *)*$"#
    default: "^"
    }
  }

  // MARK: - Steps

  /// A word alone, or a map with one word and its argument.
  private var step: JSON {
    let alone = StepWord.all.filter { $0.form == .nothing }.map(\.word)
    let properties = StepWord.all.map { step in
      JSON.Member(name: step.word, value: described(schema(of: step.form.shape), step.inFile))
    }
    let step = JSON.object([
      "type": .text("object"), "properties": .object(properties), "additionalProperties": .flag(false),
      "minProperties": .number(1), "maxProperties": .number(1),
    ])
    return .object(["anyOf": .list([.object(["enum": .texts(alone)]), step])])
  }
}
