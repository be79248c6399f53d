import Glibc

/// The recording of a failed test, in the folder that the environment variable `FILM_ON_FAILURE` names.
enum FailureRecording {
  /// The folder; nil if the variable is not set.
  static var folder: String? {
    guard let folder = getenv("FILM_ON_FAILURE").map({ String(cString: $0) }), !folder.isEmpty else { return nil }
    return folder
  }

  /// Writes the recording, replacing the one of an earlier run. An error of writing is ignored, because it must not
  /// hide the reason why the test failed.
  ///
  /// - Parameter place: the place of the test: the recording of `TallyTests/TallyTests.swift:14` is
  ///   `TallyTests-14.recording`.
  static func save(_ recording: String, of place: String, in folder: String) {
    guard let file = fopen("\(folder)/\(name(of: place))", "we") else { return }
    defer { fclose(file) }
    var recording = recording
    _ = recording.withUTF8 { fwrite($0.baseAddress, 1, $0.count, file) }
  }

  private static func name(of place: String) -> String {
    let parts = (place.split(separator: "/").last ?? "").split(separator: ":")
    let file = parts.first.map { $0.hasSuffix(".swift") ? $0.dropLast(".swift".count) : $0 } ?? "test"
    return "\(file)-\(parts.count > 1 ? parts[1] : "0").recording"
  }
}
