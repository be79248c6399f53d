import CycleCore
import Glibc
import Testing

/// A list of values that any thread can add to, in the order of adding: a test compares it with what it expects.
///
/// Its `deinit` appends the values to the file that the environment variable `TRACE` names, with the name of the test:
/// `make seeds` compares these traces of several runs.
package final class ValueTrace<Value: Sendable>: Sendable {
  private let told = Locked<[Value]>([])
  private let test = Test.current?.displayName ?? "?"

  package var values: [Value] { told.withLock { $0 } }

  package init() {}

  package func add(_ value: Value) { told.withLock { $0.append(value) } }

  deinit {
    guard let path = getenv("TRACE") else { return }
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
    defer { close(file) }
    // In one call, so that the lines of tests that run in parallel don't mix.
    var line = "\(test) | \(values)\n"
    line.withUTF8 { bytes in
      let written = write(file, bytes.baseAddress, bytes.count)
      precondition(written == bytes.count, "the trace could not be written to \(String(cString: path))")
    }
  }
}
