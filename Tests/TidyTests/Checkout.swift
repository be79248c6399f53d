import Glibc

/// The files of the checkout that the tests were built from.
enum Checkout {
  static let root: String = {
    var folders = #filePath.split(separator: "/")
    while folders.removeLast() != "Tests" {}
    return "/" + folders.joined(separator: "/")
  }()

  /// The text of a file, by its path from the root; nil if there is none.
  static func text(_ path: String) -> String? {
    let descriptor = open("\(root)/\(path)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func exists(_ path: String) -> Bool { access("\(root)/\(path)", F_OK) == 0 }

  /// The paths of all files below a folder that end so, in order.
  static func files(below folder: String, ending: String) -> [String] {
    guard let directory = opendir("\(root)/\(folder)") else { return [] }
    defer { closedir(directory) }
    var found: [String] = []
    while let entry = readdir(directory) {
      let type = Int32(entry.pointee.d_type)
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard !name.hasPrefix(".") else { continue }
      let path = "\(folder)/\(name)"
      if type == DT_DIR {
        found += files(below: path, ending: ending)
      } else if name.hasSuffix(ending) {
        found.append(path)
      }
    }
    return found.sorted()
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
      guard !line.hasPrefix(" ") else { return nil }
      let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
      guard let place = words.firstIndex(where: { ["struct", "class", "enum", "protocol"].contains($0) }),
        words.count > place + 1, !words[..<place].contains("private"), !words[..<place].contains("fileprivate")
      else { return nil }
      return words[place + 1]
    }
  }
}
