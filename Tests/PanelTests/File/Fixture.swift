import Glibc

@testable import panel

/// The files beside the tests.
enum Fixture {
  static let folder = String(#filePath.dropLast("/Fixture.swift".count))
  static let wrongFiles = String(folder.dropLast("/File".count)) + "/WrongFiles"

  static func doorbell() throws -> PanelDefinition {
    try PanelFile.read(path: folder + "/doorbell/doorbell.panel.yaml")
  }

  /// The files of a folder whose names end so, sorted.
  static func names(in folder: String, ending: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(ending) { names.append(name) }
    }
    return names.sorted()
  }

  static func bytes(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Compares with the text of a file, or writes it there where RECORD is set.
  static func expected(_ path: String, recording text: String) -> String {
    if getenv("RECORD") != nil, let file = fopen(path, "w") {
      defer { fclose(file) }
      fputs(text, file)
    }
    return bytes(path).map { String(decoding: $0, as: UTF8.self) } ?? "no file \(path)"
  }

  /// The lines `line:column: text` of what is thrown; none where nothing is.
  static func problems(_ read: () throws(Problems) -> Void) -> [String] {
    do throws(Problems) {
      try read()
      return []
    } catch {
      return error.lines.map { line in
        line.hasPrefix(error.file + ":") ? String(line.dropFirst(error.file.count + 1)) : line
      }
    }
  }

  /// The problems of a panel file of this text, whose sounds are all there.
  static func problems(ofPanel text: String) -> [String] {
    problems { () throws(Problems) in
      _ = try PanelFile.read(Array(text.utf8), file: "test", checkSound: { _ in nil })
    }
  }
}
