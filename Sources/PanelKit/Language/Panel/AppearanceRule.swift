/// The appearance of an output as a function of a panel's frame: always the same, or chosen by conditions.
package indirect enum AppearanceRule: Equatable, Sendable {
  case always(OutputAppearance)
  /// The rule of the first condition that holds; `otherwise` if none holds. An unknown condition doesn't hold.
  case first([Choice], otherwise: AppearanceRule)

  package struct Choice: Equatable, Sendable {
    package let condition: Condition
    /// Whether the condition checks what an output shows.
    package let readsOutputs: Bool
    package var rule: AppearanceRule
    package var written = FilePassage()

    package init(condition: Condition, rule: AppearanceRule, written: FilePassage = FilePassage()) {
      (self.condition, self.rule, self.written) = (condition, rule, written)
      readsOutputs = condition.readsOutputs
    }
  }

  /// The appearance if it is always the same; nil if conditions choose it.
  package var fixed: OutputAppearance? { if case .always(let appearance) = self { appearance } else { nil } }

  /// Whether a condition checks what an output shows.
  package var readsOutputs: Bool {
    switch self {
    case .always(.writing(let text)): text.conditions.contains(where: \.readsOutputs)
    case .always: false
    case .first(let choices, let otherwise):
      otherwise.readsOutputs || choices.contains { $0.readsOutputs || $0.rule.readsOutputs }
    }
  }

  /// All possible appearances.
  package var appearances: [OutputAppearance] {
    switch self {
    case .always(let appearance): [appearance]
    case .first(let choices, let otherwise): choices.flatMap(\.rule.appearances) + otherwise.appearances
    }
  }

  /// All choices, also those inside other choices.
  package var choices: [Choice] {
    switch self {
    case .always: []
    case .first(let choices, let otherwise): choices.flatMap { [$0] + $0.rule.choices } + otherwise.choices
    }
  }

  /// All conditions that choose an appearance, or a part of a text.
  package var conditions: [Condition] {
    choices.map(\.condition)
      + appearances.flatMap { appearance in
        if case .writing(let text) = appearance { text.conditions } else { [Condition]() }
      }
  }
}
