import CycleCore
import PanelLanguage
import Terminal

/// Reads the value of `sensor` in a file: the source of the sensor's number.
struct SensorSourceReader {
  let types: [any SensorDeclaration.Type]

  init(of kinds: KindList) {
    types = kinds.sensors
  }

  /// The sources with their readers. The search of each in the program takes 100 000 instructions.
  var sources: [any SensorSource.Type] { types.map(Self.source) }

  private static func source(_ type: any SensorDeclaration.Type) -> any SensorSource.Type {
    guard let source = type as? any SensorSource.Type else { programmerError("\(type) is not a SensorSource") }
    return source
  }

  /// The keys of all sources: those that name them, then the others. A key of several sources is included once.
  var grammar: FieldSet {
    var settings: [Key] = []
    for type in types {
      // The keys before a shared key in this source come before that key.
      var place = settings.endIndex
      for key in type.grammar.keys.dropFirst().reversed() {
        if let known = settings.firstIndex(where: { $0.name == key.name }) {
          place = known
        } else {
          settings.insert(key, at: place)
        }
      }
    }
    let words = types.map { $0.word }
    // The word of a source can be a setting of another one: the serial line of a chip.
    settings.removeAll { words.contains($0.name) }
    for place in settings.indices { settings[place].isRequired = false }
    return FieldSet(name: "a sensor source", keys: types.map { $0.grammar.keys[0] } + settings)
  }

  /// The source of a sensor. Adds a problem for each wrong setting. Returns nil if they don't give a source.
  func source(reading device: DeviceFields) -> (any SensorSource)? {
    let problems = device.problems
    guard let field = device["sensor"] else { return nil }
    if let fault = faultOfSource(field.node, of: device.name) {
      problems.add(fault.position, fault.text)
      return nil
    }
    guard let fields = device.inside("sensor", grammar) else { return nil }
    let words = fields.all.compactMap { field in
      types.first { $0.word == field.key.name }.map { (type: $0, field: field) }
    }
    let named = words.filter { word in
      !words.contains { other in
        other.type.grammar.keys.dropFirst().contains { $0.name == word.field.key.name }
      }
    }
    guard let (type, key) = named.first, named.count == 1 else {
      problems.add(
        named.count > 1 ? named[1].field.position : field.node.position,
        named.isEmpty
          ? "\(quoted(device.name)) has no source; use one of \(listed(types.map { $0.word }))"
          : "\(named[1].type.word) can't be beside \(named[0].type.word); write one of them")
      return nil
    }
    var isComplete = true
    for other in fields.all where !type.grammar.keys.contains(where: { $0.name == other.key.name }) {
      problems.add(other.position, "\(type.word) has no \(quoted(other.key.name)); leave it out")
    }
    for needed in type.grammar.keys where needed.isRequired && fields[needed.name] == nil {
      isComplete = false
      guard fields.isMissing(needed.name) else { continue }
      problems.add(
        key.position, "\(type.word) has no \(needed.name); write \(needed.name): \(needed.example)")
    }
    guard isComplete else { return nil }
    return Self.source(type).init(reading: fields)
  }

  /// The problem of a source with an unknown key and without a source name; nil for any other.
  private func faultOfSource(_ node: YAMLNode, of name: String) -> (position: Position, text: String)? {
    let words = types.map { $0.word }
    let keys = grammar.keys.map(\.name)
    guard case .map(let entries) = node.content, !entries.contains(where: { words.contains($0.key) }),
      let other = entries.first(where: { !keys.contains($0.key) && nearest(to: $0.key, among: keys) == nil })
    else { return nil }
    let chip = other.key.lowercased()
    let sheet = SheetLibrary.texts.contains { $0.name == chip } ? "{ sheet: \(chip) }" : nil
    let known = KindAdvice.of(other, .sensorSource)
    let remedy =
      switch (known, sheet) {
      case (let known?, let sheet?): "\(known), or write \(sheet)"
      case (let known?, nil): known
      case (nil, let sheet?): "write \(sheet)"
      case (nil, nil): "use \(alternatives(words))"
      }
    return (other.position, "unknown sensor source \(quoted(other.key)); \(remedy)")
  }
}
