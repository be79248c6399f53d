/// Which key does what to a simulated panel.
struct KeyMap {
  enum Action: Equatable {
    /// Presses a button and lets it go.
    case click(Int)
    /// Presses a button and leaves it so; lets it go the next time.
    case hold(Int)
    case toggle(Int)
    case turn(Int, detents: Int)

    /// The step of a scenario that is most like it.
    var step: Step {
      switch self {
      case .click(let input), .hold(let input): .press(input: input)
      case .toggle(let input): .switch(input: input, on: true)
      case .turn(let input, let detents): .turn(input: input, detents: detents)
      }
    }
  }

  /// `q`, Ctrl-C and Ctrl-D.
  static let quitting: [UInt8] = [UInt8(ascii: "q"), 3, 4]

  /// Ctrl-L.
  static let redrawing: UInt8 = 12

  private var actions: [UInt8: Action] = [:]
  /// What is written beside each input.
  private(set) var labels: [String] = []

  private static let letters = Array("abcdefghijklmnoprstuvwxyz".utf8)
  private static let pairs: [(UInt8, UInt8)] = ["[]", "<>", "()", "{}", "-+", "12", "34", "56", "78", "90"].map {
    let keys = Array($0.utf8)
    return (keys[0], keys[1])
  }

  init(of panel: PanelDefinition) {
    for (index, input) in panel.inputs.enumerated() {
      switch input.device {
      case .button:
        addLetter(of: input.name, index) {
          .click($0)
        } shifted: {
          .hold($0)
        }
      case .switch:
        addLetter(of: input.name, index) {
          .toggle($0)
        } shifted: {
          .toggle($0)
        }
      case .encoder: addPair(index)
      }
    }
  }

  /// The first letter of the name that is free, else the first of the alphabet; none if all are taken.
  private mutating func addLetter(
    of name: String, _ index: Int, action: (Int) -> Action, shifted: (Int) -> Action
  ) {
    let wanted = Array(name.lowercased().utf8).filter(Self.letters.contains) + Self.letters
    guard let letter = wanted.first(where: { actions[$0] == nil }) else {
      labels.append("")
      return
    }
    actions[letter] = action(index)
    actions[letter - 32] = shifted(index)
    labels.append(String(UnicodeScalar(letter)))
  }

  private mutating func addPair(_ index: Int) {
    guard let (left, right) = Self.pairs.first(where: { actions[$0.0] == nil }) else {
      labels.append("")
      return
    }
    actions[left] = .turn(index, detents: -1)
    actions[right] = .turn(index, detents: 1)
    labels.append("\(UnicodeScalar(left)) \(UnicodeScalar(right))")
  }

  func action(for key: UInt8) -> Action? { actions[key] }
}
