import Glibc
import TestSupport

/// The files of the checkout that the tests were built from.
enum Checkout {
  /// The text of a file, by its path from the root; nil if there is none.
  static func text(_ path: String) -> String? {
    bytes(of: "\(checkoutRoot)/\(path)").map { String(decoding: $0, as: UTF8.self) }
  }

  static func exists(_ path: String) -> Bool { access("\(checkoutRoot)/\(path)", F_OK) == 0 }

  /// All tests with what they expect, as one text without escaped quotation marks.
  static let textOfTests = (files(below: "Tests", ending: ".swift") + files(below: "Tests", ending: ".expected"))
    .compactMap { text($0) }.joined().split(separator: #"\""#).joined(separator: #"""#)

  /// The paths of all files below a folder that end so, in order.
  static func files(below folder: String, ending: String) -> [String] {
    names(in: "\(checkoutRoot)/\(folder)").filter { !$0.hasPrefix(".") }.flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      if name.hasSuffix(ending) { return [path] }
      return files(below: path, ending: ending)
    }.sorted()
  }
}

/// A Swift file, as far as the tests look into it.
struct SourceFile {
  let path: String
  let lines: [Substring]

  init(_ path: String) {
    self.path = path
    lines = (Checkout.text(path) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
  }

  static func all(below folder: String) -> [SourceFile] {
    Checkout.files(below: folder, ending: ".swift").map { SourceFile($0) }
  }

  /// The modules that it imports.
  var imports: [String] {
    lines.compactMap { line in
      let words = line.split(separator: " ")
      guard !line.hasPrefix(" "), let place = words.firstIndex(of: "import"), place <= 2, words.count > place + 1 else {
        return nil
      }
      return String(words[place + 1])
    }
  }

  /// The words of its code, without comments and without what is written in strings.
  var words: Set<Substring> {
    var words: Set<Substring> = []
    for line in lines {
      let code = line.firstIndex(of: "/").flatMap { line[$0...].hasPrefix("//") ? line[..<$0] : nil } ?? line
      for (place, part) in code.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      where place.isMultiple(of: 2) {
        words.formUnion(part.split { !($0.isLetter || $0.isNumber || $0 == "_") })
      }
    }
    return words
  }

  /// The types that it declares at its top level.
  var types: [Substring] {
    lines.compactMap { line in
      guard !line.hasPrefix(" "), !line.hasPrefix("//") else { return nil }
      let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
      guard let place = words.firstIndex(where: { ["struct", "class", "enum", "protocol"].contains($0) }),
        words.count > place + 1, !words[..<place].contains("private"), !words[..<place].contains("fileprivate")
      else { return nil }
      return words[place + 1]
    }
  }
}
