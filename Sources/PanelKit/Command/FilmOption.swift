import CycleCore
import HardwareLinux
import Terminal

/// The film that a command records with `--film`.
struct FilmOption {
  static let option = CommandSyntax.Option(
    "--film", value: "FILE", help: "Records all events into a film, in place of a file that is there.")

  private let file: FilmFile?
  private let path: String
  private let recorder: Recorder?

  /// Begins the recording if the option was given.
  ///
  /// - Parameter panelFile: the panel file's path; nil for the sample panel.
  init(_ arguments: ParsedArguments, _ session: PanelSession, panelFile: String?) throws {
    guard let path = arguments.value(of: "--film") else {
      (file, path, recorder) = (nil, "", nil)
      return
    }
    let text = try panelFile.map { path throws(Problems) in
      String(decoding: try TextFile.read(path: path, what: "a panel file"), as: UTF8.self)
    }
    try Self.checkPlace(path)
    let file = try FilmFile(path: path)
    try session.film(to: [file], source: .init(file: panelFile ?? "", text: text ?? SamplePanel.text))
    (self.file, self.path, recorder) = (file, path, session.recorder)
  }

  /// Throws where a file is there that is no film: it would be lost.
  private static func checkPlace(_ path: String) throws(Problems) {
    let beginning = Array("{\"film\":".utf8)
    var bytes = [UInt8](repeating: 0, count: beginning.count)
    let count = bytes.withUnsafeMutableBytes { bytes in (try? FilmFileReader(path: path).read(into: bytes)) ?? 0 }
    guard count > 0, bytes != beginning else { return }
    throw Problems(
      kind: .cannotWrite, file: path,
      list: [Problem(line: 0, column: 0, text: "a file is there that is no film; name another one for the film")])
  }

  /// Writes what waits where the command ends with an error; does nothing after ``end(_:_:)``.
  func abandon() { _ = file?.finish() }

  /// Ends the file, and tells what is missing in it. Returns the exit status.
  func end(_ status: Int32, _ diagnostics: Diagnostics) -> Int32 {
    guard let file, let recorder else { return status }
    if let reason = file.finish() {
      diagnostics.write(.error, "\(path): the film is not whole: \(reason); free some space, or write it elsewhere")
      return status == ExitStatus.success ? ExitStatus.cannotWrite : status
    }
    let lost = recorder.account(of: file).lost
    if lost > 0 {
      diagnostics.write(.warning, "\(path): \(counted(lost, "record")) left out: the disk was too slow")
    }
    return status
  }
}
