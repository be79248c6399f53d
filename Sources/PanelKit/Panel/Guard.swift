import Terminal

/// The condition of a transition: comparisons which must all hold.
struct Guard: Equatable, Sendable {
  /// At least one.
  var comparisons: [Comparison]

  enum Comparison: Equatable, Sendable {
    case value(Int, Relation, Int)
    /// Whether this state is (or is not) the region's current one.
    case state(PanelDefinition.Target, isCurrent: Bool)
  }

  enum Relation: String, Equatable, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// Whether `a` stands in this relation to `b`.
    func holds(_ a: Int, _ b: Int) -> Bool {
      switch self {
      case .equal: a == b
      case .notEqual: a != b
      case .less: a < b
      case .lessOrEqual: a <= b
      case .greater: a > b
      case .greaterOrEqual: a >= b
      }
    }
  }
}

/// Reads the text of an `if`.
struct GuardReader {
  let names: Names
  let problems: ProblemList

  /// The guard in `text`; nil if something is wrong with it, which adds a problem.
  func read(_ text: String, at position: Position) -> Guard? {
    let tokens = Self.tokens(of: text)
    guard !tokens.isEmpty else {
      return fault(position, "\"if\" is empty; compare a value with a number: level >= 10")
    }
    var comparisons: [Guard.Comparison] = []
    var isWrong = false
    var index = 0
    while true {
      guard index < tokens.count else {
        return fault(position, "\"if\" ends after \"and\"; compare a value with a number: level >= 10")
      }
      let operand = tokens[index]
      guard index + 1 < tokens.count else {
        return fault(position, "\"if\" ends after \(quoted(operand)); compare it with a constant: level >= 10")
      }
      guard let relation = Guard.Relation(rawValue: tokens[index + 1]) else {
        return fault(position, "\(quoted(tokens[index + 1])) compares nothing; use == != < <= > or >=")
      }
      guard index + 2 < tokens.count else {
        return fault(position, "\"if\" ends after \(quoted(relation.rawValue)); a constant must follow: level >= 10")
      }
      if let comparison = comparison(operand, relation, tokens[index + 2], at: position) {
        comparisons.append(comparison)
      } else {
        isWrong = true
      }
      index += 3
      if index == tokens.count { return isWrong ? nil : Guard(comparisons: comparisons) }
      guard tokens[index] == "and" else {
        return fault(position, "\(quoted(tokens[index])) after a comparison; join comparisons with and")
      }
      index += 1
    }
  }

  private func fault(_ position: Position, _ text: String) -> Guard? {
    problems.add(position, text)
    return nil
  }

  private func comparison(
    _ operand: String, _ relation: Guard.Relation, _ constant: String, at position: Position
  ) -> Guard.Comparison? {
    if operand == "state" || operand.hasPrefix("state.") {
      return stateComparison(operand, relation, constant, at: position)
    }
    if Quantity.whole(operand) != nil {
      problems.add(position, "\(quoted(operand)) before \(relation.rawValue); write the value first: level >= 10")
      return nil
    }
    guard let value = names.value(operand, at: position, problems) else { return nil }
    guard let number = Quantity.whole(constant) else {
      problems.add(position, "\(quoted(constant)) is no whole number; compare \(quoted(operand)) with a constant: 10")
      return nil
    }
    guard names.isInRange(number, of: value, at: position, problems) else { return nil }
    return .value(value, relation, number)
  }

  private func stateComparison(
    _ operand: String, _ relation: Guard.Relation, _ constant: String, at position: Position
  ) -> Guard.Comparison? {
    let region = operand == "state" ? nil : String(operand.dropFirst("state.".count))
    guard relation == .equal || relation == .notEqual else {
      problems.add(position, "states have no order; compare them by == or !=")
      return nil
    }
    guard let region = names.region(region, at: position, problems),
      let state = names.state(constant, in: region, at: position, problems)
    else { return nil }
    return .state(.init(region: region, state: state), isCurrent: relation == .equal)
  }

  /// Splits the text into operators (runs of `=!<>`) and words (runs of other characters), with or without blanks
  /// between.
  private static func tokens(of text: String) -> [String] {
    var tokens: [String] = []
    var isJoined = false
    var wasSign = false
    for character in text {
      if character.isWhitespace {
        isJoined = false
        continue
      }
      let isSign = "=!<>".contains(character)
      if isJoined, isSign == wasSign, let last = tokens.indices.last {
        tokens[last].append(character)
      } else {
        tokens.append(String(character))
      }
      isJoined = true
      wasSign = isSign
    }
    return tokens
  }
}
