import PanelLanguage
import Terminal

/// A wrong entry of `known`.
struct KnownNameFault: Error {
  let text: String

  init(_ text: String) { self.text = text }
}

extension DeviceFields {
  /// The names of `known` with their codes, each code once. Adds a problem and returns nil for a wrong entry.
  ///
  /// - Parameters:
  ///   - refusal: the text about a name that has another meaning; nil for any other name.
  ///   - twins: the text about two names with the same code.
  ///   - read: reads a code. Throws the text about a wrong one.
  func known<Code: Equatable>(
    refusing refusal: (_ name: String) -> String?, twins: (_ name: String, _ other: String) -> String,
    _ read: (_ text: String) throws(KnownNameFault) -> Code
  ) -> [(name: String, code: Code)]? {
    guard let entries = entries("known") else { return nil }
    var known: [(name: String, code: Code)] = []
    for (name, value) in entries {
      guard let text = value.text("known"),
        Names.isGood(name, at: value["known"]?.node.position ?? .start, problems)
      else { return nil }
      do throws(KnownNameFault) {
        if let text = refusal(name) { throw KnownNameFault(text) }
        let code = try read(text)
        if let twin = known.first(where: { $0.code == code }) { throw KnownNameFault(twins(name, twin.name)) }
        known.append((name, code))
      } catch {
        value.addProblem(at: "known", error.text)
        return nil
      }
    }
    return known
  }
}
