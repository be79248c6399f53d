import Terminal

/// Reads what a file writes behind `sensor`: the source of its number.
struct SensorSources {
  let types: [any SensorSource.Type]

  /// The keys of all sources: those that name them, then the others. A key that several have is there once.
  var grammar: Place {
    var settings: [Key] = []
    for type in types {
      // Where both have a key, what stands before it in this one comes before it.
      var place = settings.endIndex
      for key in type.grammar.keys.dropFirst().reversed() {
        if let known = settings.firstIndex(where: { $0.name == key.name }) {
          place = known
        } else {
          settings.insert(key, at: place)
        }
      }
    }
    for place in settings.indices { settings[place].isRequired = false }
    return Place(name: "the place of a number", keys: types.map { $0.grammar.keys[0] } + settings)
  }

  /// The source of a sensor. Adds a problem for each setting that is wrong; nil if no source can be made of them.
  func source(reading device: DeviceFields) -> (any SensorSource)? {
    let problems = device.problems
    guard let field = device["sensor"], let fields = device.inside("sensor", grammar) else { return nil }
    let named = fields.all.compactMap { field in
      types.first { $0.word == field.key.name }.map { (type: $0, field: field) }
    }
    guard let (type, key) = named.first, named.count == 1 else {
      problems.add(
        named.count > 1 ? named[1].field.position : field.node.position,
        named.isEmpty
          ? "\(quoted(device.name)) doesn't say where its number is; give it one of \(listed(types.map { $0.word }))"
          : "\(named[1].type.word) beside \(named[0].type.word); write one of them")
      return nil
    }
    var isComplete = true
    for other in fields.all where !type.grammar.keys.contains(where: { $0.name == other.key.name }) {
      problems.add(other.position, "\(quoted(other.key.name)) beside \(type.word), which has none; leave it out")
    }
    for needed in type.grammar.keys where needed.isRequired && fields[needed.name] == nil {
      isComplete = false
      guard fields.isMissing(needed.name) else { continue }
      problems.add(
        key.position, "\(type.word) without a \(needed.name); write \(needed.name): \(needed.example)")
    }
    return isComplete ? type.init(reading: fields) : nil
  }
}
