import Glibc
import Testing

/// What somebody has been told, in order.
///
/// With `TRACE=1` it is printed when it goes away, with the name of the test: `make seeds` compares the traces of several runs.
final class Told<Value> {
  private(set) var values: [Value] = []
  private let test = Test.current?.displayName ?? "?"

  func add(_ value: Value) { values.append(value) }

  deinit {
    if getenv("TRACE") != nil { print("trace \(test) | \(values)") }
  }
}
