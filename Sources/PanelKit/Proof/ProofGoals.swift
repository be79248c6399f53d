import PanelLanguage

/// The properties that one search decides.
struct ProofGoals: Equatable {
  /// Forbidden conditions, by their places in ``PanelDefinition/nevers``.
  var nevers: Set<Int> = []
  /// Interlocks, by their places in ``PanelDefinition/interlocks``.
  var interlocks: Set<Int> = []
  /// States of `reach`.
  var reach: Set<Int> = []
  /// Regions of the top level. The search follows all of their transitions: chains of transitions have to end.
  var regions: Set<Int> = []

  var isEmpty: Bool { self == ProofGoals() }

  var withoutReach: ProofGoals { ProofGoals(nevers: nevers, interlocks: interlocks, regions: regions) }

  mutating func formUnion(_ other: ProofGoals) {
    nevers.formUnion(other.nevers)
    interlocks.formUnion(other.interlocks)
    reach.formUnion(other.reach)
    regions.formUnion(other.regions)
  }

  /// All properties of a panel.
  static func all(of panel: PanelDefinition) -> ProofGoals {
    ProofGoals(
      nevers: Set(panel.nevers.indices),
      interlocks: Set(panel.interlocks.indices.filter { !panel.interlocks[$0].isRest }),
      reach: Set(panel.reach.map(\.state)), regions: Set(panel.states[0].regions))
  }

  func contains(_ property: Violation.Property) -> Bool {
    switch property {
    case .never(let never): nevers.contains(never)
    case .interlock(let interlock): interlocks.contains(interlock)
    case .end: true
    }
  }
}
