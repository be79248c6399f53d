import TestSupport
import Testing

/// A panel with one fault, and a property that it breaks: one of `Tests/Faults`, whose first line has how many steps
/// lead to the violation at least, worked out by hand.
struct PlantedFault: CustomTestStringConvertible {
  /// The file's name without its end.
  let name: String
  let panel: String
  let steps: Int

  var testDescription: String { name }

  static let all: [PlantedFault] = names(in: folder).map { file in
    let text = String(decoding: bytes(of: "\(folder)/\(file)") ?? [], as: UTF8.self)
    let first = text.prefix { $0 != "\n" }
    let steps = first.split(separator: " ").lazy.compactMap { Int($0) }.first ?? 0
    return PlantedFault(name: String(file.dropLast(".panel.yaml".count)), panel: text, steps: steps)
  }

  private static let folder = "\(checkoutRoot)/Tests/Faults"
}
