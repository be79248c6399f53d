import CycleCore

/// The part of a frame that a test compares: everything, or the values at some key paths.
struct FrameComparison<Frame: Equatable> {
  private struct Value {
    var name: String
    var isEqual: (Frame, Frame) -> Bool
    var text: (Frame) -> String
  }

  /// The values at the key paths; nil for everything.
  private var values: [Value]?

  mutating func add<Looked: Equatable>(_ path: KeyPath<Frame, Looked>) {
    let (text, root) = ("\(path)", "\\\(Frame.self).")
    let value = Value(
      name: text.hasPrefix(root) ? String(text.dropFirst(root.count)) : text,
      isEqual: { $0[keyPath: path] == $1[keyPath: path] }, text: { "\($0[keyPath: path])" })
    values = (values ?? []) + [value]
  }

  func isEqual(_ one: Frame, _ other: Frame) -> Bool {
    values.map { $0.allSatisfy { $0.isEqual(one, other) } } ?? (one == other)
  }

  /// One line for each value that differs, which `form` makes of its name and of its texts in both frames.
  func differences(
    _ one: Frame, _ other: Frame, _ form: (_ name: String, _ one: String, _ other: String) -> String
  ) -> [String] {
    if let values {
      return values.filter { !$0.isEqual(one, other) }.map { form($0.name, $0.text(one), $0.text(other)) }
    }
    let lines = FlattenedFrame(of: one).differences(from: FlattenedFrame(of: other), form)
    return lines.isEmpty ? ["they differ in what their description doesn't show"] : lines
  }

  /// The names of values that differ and aren't compared.
  func skipped(_ one: Frame, _ other: Frame) -> [String] {
    guard let values else { return [] }
    let looked = values.map(\.name)
    return FlattenedFrame(of: one).differences(from: FlattenedFrame(of: other)) { path, _, _ in path }
      .filter { path in !looked.contains { path == $0 || path.hasPrefix("\($0).") || path.hasPrefix("\($0)[") } }
  }
}
