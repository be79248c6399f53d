/// Maps keys to actions on the controls of a stage.
package struct KeyMap {
  package enum Action: Equatable {
    /// Presses and releases a button.
    case click(Int)
    /// Presses a button and keeps it pressed; the next time releases it.
    case hold(Int)
    case toggle(Int)
    case turn(Int, detents: Int)

    /// The control to which the action applies.
    var control: Int {
      switch self {
      case .click(let control), .hold(let control), .toggle(let control), .turn(let control, _): control
      }
    }
  }

  /// The keys that end the console: `q`, Ctrl-C and Ctrl-D.
  package static let quitting: [UInt8] = [UInt8(ascii: "q"), 3, 4]

  /// The key that redraws the console: Ctrl-L.
  package static let redrawing: UInt8 = 12

  /// Whether the key shows the page of keys: `?`, and `h` unless an input uses it.
  package func isHelp(_ key: UInt8) -> Bool {
    key == UInt8(ascii: "?") || key == UInt8(ascii: "h") && actions[key] == nil
  }

  package let controls: [ConsoleControl]
  private var actions: [UInt8: Action] = [:]
  /// The keys of each control, as drawn beside it; empty if no key was free.
  package private(set) var labels: [String] = []

  private static let letters = Array("abcdefghijklmnoprstuvwxyz".utf8)
  private static let pairs: [(UInt8, UInt8)] = ["[]", "<>", "()", "{}", "-+", "12", "34", "56", "78", "90"].map {
    let keys = Array($0.utf8)
    return (keys[0], keys[1])
  }

  package init(of controls: [ConsoleControl]) {
    self.controls = controls
    for (index, control) in controls.enumerated() {
      switch control.kind {
      case .button:
        addLetter(of: control.name, index) {
          .click($0)
        } shifted: {
          .hold($0)
        }
      case .switch:
        addLetter(of: control.name, index) {
          .toggle($0)
        } shifted: {
          .toggle($0)
        }
      case .knob: addPair(index)
      }
    }
  }

  /// Assigns the first free letter of the name, or else of the alphabet; none if all are used.
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

  package func action(for key: UInt8) -> Action? { actions[key] }
}
