import Testing

@testable import PanelKinds
@testable import PanelLanguage

@Suite("The texts of keys")
struct KeyTextTests {
  /// Keys of some kinds, whose names are in the texts of other keys.
  private static let names = [
    "debounce", "hold", "repeat", "double-click", "gap", "longest", "every", "interrupt", "silent", "pull", "active",
  ]

  @Test("the text of a key names no other key that its kind lacks")
  func keys() {
    let kinds =
      KindList.standard.inputs.map { $0.grammar } + KindList.standard.outputs.map { $0.grammar }
      + KindList.standard.chips.map { $0.grammar }
    for kind in kinds {
      let own = Set(kind.keys.map(\.name))
      for key in kind.keys {
        let codes = (key.meaning + " " + key.usual).split(separator: "`", omittingEmptySubsequences: false)
        for (place, code) in codes.enumerated() where !place.isMultiple(of: 2) {
          let name = String(code.prefix { $0 != ":" })
          #expect(
            own.contains(name) || !Self.names.contains(name), "\(kind.name), \(key.name): \(name) is no key of it")
        }
      }
    }
  }
}
