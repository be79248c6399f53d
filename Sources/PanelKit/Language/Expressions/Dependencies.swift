/// The things that conditions and numbers depend on.
package struct Dependencies: Equatable {
  /// The values, including lists.
  package var values: Set<Int> = []
  /// The inputs whose positions are used.
  package var positions: Set<Int> = []
  /// The sensors whose numbers are used, by their inputs.
  package var readings: Set<Int> = []
  /// The groups of inputs whose last active member is used.
  package var members: Set<Int> = []
  /// The regions whose current states are used.
  package var regions: Set<Int> = []
  /// The regions for which the age of the current state is used.
  package var elapsed: Set<Int> = []
  package var hardware: Set<PluggableHardware> = []
  package var outputs: Set<Int> = []
  /// The relays whose contacts are used, by their outputs.
  package var contacts: Set<Int> = []

  package init(
    values: Set<Int> = [], positions: Set<Int> = [], readings: Set<Int> = [], members: Set<Int> = [],
    elapsed: Set<Int> = [], hardware: Set<PluggableHardware> = [], outputs: Set<Int> = [], contacts: Set<Int> = []
  ) {
    (
      self.values, self.positions, self.readings, self.members, self.elapsed, self.hardware, self.outputs, self.contacts
    ) = (values, positions, readings, members, elapsed, hardware, outputs, contacts)
  }

  /// Adds the dependencies of a condition. A part that has the same result always, such as `each == 1` for another
  /// member, has none, and neither have the parts whose results it decides.
  package mutating func add(_ condition: Condition?) {
    guard condition?.constantResult == nil else { return }
    switch condition {
    case nil: break
    case .state(let target): regions.insert(target.region)
    case .comparison(let left, _, let right):
      add(left)
      add(right)
    case .position(let input, _), .isUnknown(let input): positions.insert(input)
    case .isLost(let hardware): self.hardware.insert(hardware)
    case .elements(let list, _): values.insert(list.value)
    case .sameElements(let one, let other): values.formUnion([one.value, other.value])
    case .output(let output, _): outputs.insert(output)
    case .contact(let output, _): contacts.insert(output)
    case .not(let condition): add(condition)
    case .all(let conditions), .any(let conditions): for condition in conditions { add(condition) }
    }
  }

  package mutating func add(_ number: Number) {
    switch number {
    case .constant: break
    case .value(let value): values.insert(value)
    case .reading(let input): readings.insert(input)
    case .member(let group): members.insert(group)
    case .elapsed(let region): elapsed.insert(region)
    case .isCurrent(let target): regions.insert(target.region)
    case .element(let list, let place):
      values.insert(list.value)
      add(place)
    case .negative(let part), .magnitude(let part), .rounded(let part, _): add(part)
    case .sum(let a, let b), .difference(let a, let b), .product(let a, let b), .quotient(let a, let b),
      .remainder(let a, let b), .minimum(let a, let b), .maximum(let a, let b):
      add(a)
      add(b)
    }
  }

  package mutating func add(_ change: PanelDefinition.Change) {
    switch change {
    case .to(.number(let number)), .by(let number), .append(.number(let number)): add(number)
    case .elementsOf(let list): values.insert(list.value)
    case .element(let place, let change):
      add(place)
      add(change)
    case .to(.draw), .append(.draw), .elements: break
    }
  }

  /// Adds the dependencies of an output's appearance, and of the conditions that choose it.
  package mutating func add(_ rule: AppearanceRule) {
    for condition in rule.conditions { add(condition) }
    for appearance in rule.appearances { add(appearance) }
  }

  /// Adds the dependencies of an appearance, without the conditions in its text.
  package mutating func add(_ appearance: OutputAppearance) {
    switch appearance {
    case .off, .on, .blink, .pulse, .level, .count: break
    case .value(let value): values.insert(value)
    case .special(let special): values.formUnion(special.value.followedValues)
    case .writing(let text):
      for part in text.parts {
        switch part {
        case .text, .first: break
        case .number(let number, _, _, _), .duration(let number), .time(let number), .oneOf(_, let number, _):
          add(number)
        case .elements(let list): values.insert(list.value)
        }
      }
    }
  }

  package mutating func formUnion(_ other: Dependencies) {
    values.formUnion(other.values)
    positions.formUnion(other.positions)
    readings.formUnion(other.readings)
    members.formUnion(other.members)
    regions.formUnion(other.regions)
    elapsed.formUnion(other.elapsed)
    hardware.formUnion(other.hardware)
    outputs.formUnion(other.outputs)
    contacts.formUnion(other.contacts)
  }
}
