import Glibc
import TestSupport

@testable import PanelLanguage

/// The files beside the tests.
enum Fixture {
  static let folder = String(#filePath.dropLast("/Fixture.swift".count))
  static let wrongFiles = String(folder.dropLast("/File".count)) + "/WrongFiles"

  static func doorbell() throws -> PanelDefinition {
    try PanelFile.read(path: folder + "/doorbell/doorbell.panel.yaml")
  }

  /// Compares with the text of a file, or writes it there where RECORD is set.
  static func expected(_ path: String, recording text: String) -> String {
    if getenv("RECORD") != nil, let file = fopen(path, "w") {
      defer { fclose(file) }
      fputs(text, file)
    }
    return bytes(of: path).map { String(decoding: $0, as: UTF8.self) } ?? "no file \(path)"
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
