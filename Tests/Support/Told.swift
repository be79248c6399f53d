import Glibc
import Synchronization
import Testing

/// What somebody has been told, in order.
///
/// When it goes away it is added to the file that `TRACE` names, with the name of the test: `make seeds` compares the traces of
/// several runs.
package final class Told<Value: Sendable>: Sendable {
  private let told = Mutex<[Value]>([])
  private let test = Test.current?.displayName ?? "?"

  package var values: [Value] { told.withLock { $0 } }

  package init() {}

  package func add(_ value: Value) { told.withLock { $0.append(value) } }

  deinit {
    guard let path = getenv("TRACE") else { return }
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
    defer { close(file) }
    // In one call: tests run side by side.
    var line = "\(test) | \(values)\n"
    line.withUTF8 { bytes in
      let written = write(file, bytes.baseAddress, bytes.count)
      precondition(written == bytes.count, "the trace could not be written to \(String(cString: path))")
    }
  }
}
