import HardwareDrivers
import PanelLanguage
import Terminal

/// The sheets that a panel can name: those beside its file, those in `/etc/panel/sheets`, and those of this program.
package enum SheetLibrary {
  package enum Failure: Error {
    /// There is no sheet with this name.
    case unknown
    case wrong(Problems)
  }

  package static let suffix = ".sheet.yaml"
  private static let administratorFolder = "/etc/panel/sheets"

  /// The program's sheets as text, in the order of the alphabet.
  package static let texts = StandardSheets.all

  /// The names of all sheets, in the order of the alphabet.
  ///
  /// - Parameter folder: the folder of the panel file; empty for the working directory.
  package static func names(folder: String) -> [String] {
    let files = [folder.isEmpty ? "." : folder, administratorFolder].flatMap { folder in
      // A folder that can't be read has no sheets for this user.
      (try? DirectoryListing.sorted(in: folder)) ?? []
    }
    let own = files.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.utf8.count)) }
    return Set(texts.map(\.name) + own.filter(SheetReader.isName)).sorted()
  }

  /// The text of a sheet; nil if there is none with this name that can be read.
  ///
  /// - Parameter folder: the folder of the panel file; empty for the working directory.
  package static func text(named name: String, folder: String) -> String? {
    guard SheetReader.isName(name) else { return nil }
    for path in paths(of: name, folder: folder) {
      if let bytes = try? TextFile.read(path: path, what: "a sheet") { return String(decoding: bytes, as: UTF8.self) }
    }
    return texts.first { $0.name == name }?.text
  }

  private static func paths(of name: String, folder: String) -> [String] {
    let file = name + suffix
    return [folder.isEmpty ? file : "\(folder)/\(file)", "\(administratorFolder)/\(file)"]
  }

  /// The sheet in a file, whose name it has to have.
  package static func sheet(in path: String) throws(Problems) -> Sheet {
    let file = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let bytes = try TextFile.read(path: path, what: "a sheet")
    return try read(bytes, file: path, as: String(file.dropLast(suffix.utf8.count))).get()
  }

  /// The sheet with a name.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - folder: the folder of the panel file; empty for the working directory.
  package static func sheet(named name: String, folder: String) -> Result<Sheet, Failure> {
    guard SheetReader.isName(name) else { return .failure(.unknown) }
    for path in paths(of: name, folder: folder) {
      do throws(Problems) {
        return read(try TextFile.read(path: path, what: "a sheet"), file: path, as: name).mapError { .wrong($0) }
      } catch {
        // Only members of the group "panel" may read the folder.
        let isHidden = error.kind == .notPermitted && path.hasPrefix(administratorFolder)
        if error.kind != .noSuchFile, !isHidden { return .failure(.wrong(error)) }
      }
    }
    guard let own = texts.first(where: { $0.name == name }) else { return .failure(.unknown) }
    return read(Array(own.text.utf8), file: name + suffix, as: name).mapError { .wrong($0) }
  }

  private static func read(_ bytes: [UInt8], file: String, as name: String) -> Result<Sheet, Problems> {
    do throws(Problems) {
      let sheet = try SheetReader.read(bytes, file: file)
      guard sheet.name == name else {
        let text =
          "the sheet \(quoted(sheet.name)) is in the file of \(quoted(name)); write sheet: \(name), or rename the file"
        throw Problems(file: file, list: [Problem(line: 1, column: 1, text: text)])
      }
      return .success(sheet)
    } catch {
      return .failure(error)
    }
  }
}

extension Sheet {
  /// The sheet of this package with a name, as `panel sheets` lists them; nil for any other name.
  public static func named(_ name: String) -> Sheet? {
    guard let own = SheetLibrary.texts.first(where: { $0.name == name }) else { return nil }
    return try? SheetReader.read(Array(own.text.utf8), file: name + SheetLibrary.suffix)
  }
}
