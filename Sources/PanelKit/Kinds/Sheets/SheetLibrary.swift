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

  /// The names of the program's sheets, in the order of the alphabet.
  package static var names: [String] { texts.map(\.name) }

  /// The program's sheets as text, in the order of the alphabet.
  package static let texts = StandardSheets.all

  /// The sheet with a name.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - folder: the folder of the panel file; empty for the working directory.
  package static func sheet(named name: String, folder: String) -> Result<Sheet, Failure> {
    guard SheetReader.isName(name) else { return .failure(.unknown) }
    let file = name + suffix
    for path in [folder.isEmpty ? file : "\(folder)/\(file)", "\(administratorFolder)/\(file)"] {
      do throws(Problems) {
        return read(try TextFile.read(path: path, what: "a sheet"), file: path, as: name)
      } catch {
        // Only members of the group "panel" may read the folder.
        let isHidden = error.kind == .notPermitted && path.hasPrefix(administratorFolder)
        if error.kind != .noSuchFile, !isHidden { return .failure(.wrong(error)) }
      }
    }
    guard let own = texts.first(where: { $0.name == name }) else { return .failure(.unknown) }
    return read(Array(own.text.utf8), file: file, as: name)
  }

  private static func read(_ bytes: [UInt8], file: String, as name: String) -> Result<Sheet, Failure> {
    do throws(Problems) {
      let sheet = try SheetReader.read(bytes, file: file)
      guard sheet.name == name else {
        let text = "the sheet in this file is called \(quoted(sheet.name)); write sheet: \(name)"
        throw Problems(file: file, list: [Problem(line: 1, column: 1, text: text)])
      }
      return .success(sheet)
    } catch {
      return .failure(.wrong(error))
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
