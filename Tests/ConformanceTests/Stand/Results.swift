import Glibc

/// What became of each case at each place, for the table: a line each in the file that CONFORMANCE_RESULTS names.
enum Results {
  enum Outcome {
    /// It is about to run: if nothing else is written of it, it has failed.
    case announced
    case passed
    case failed
    case skipped(String)
  }

  static func add(_ name: String, at place: String, _ outcome: Outcome) {
    guard let path = getenv("CONFORMANCE_RESULTS") else { return }
    let word =
      switch outcome {
      case .announced: "announced"
      case .passed: "passed"
      case .failed: "failed"
      case .skipped(let reason): "skipped: \(reason)"
      }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    precondition(descriptor >= 0, "\(path) can't be opened: errno \(errno)")
    defer { close(descriptor) }
    var line = "\(name)\t\(place)\t\(word)\n"
    let isWritten = line.withUTF8 { write(descriptor, $0.baseAddress, $0.count) == $0.count }
    precondition(isWritten, "\(path) can't be written: errno \(errno)")
  }
}
