/// A frame as the JSON of a recording, split into its numbers, words and texts.
package struct FlattenedFrame {
  /// A value that is neither an array nor an object: its range and its path.
  private struct Leaf {
    var path: String
    var place: Range<Int>
  }

  private let bytes: [UInt8]
  private var leaves: [Leaf] = []
  private let columns: [String]

  /// The maximum number of differences that are listed.
  private static let longestList = 50

  /// - Parameter columns: the names of the numbers of a row; empty for other frames.
  package init(_ text: String, columns: [String]) {
    self.init(Array(text.utf8), columns: columns)
  }

  /// Makes the text of any value: in the format of a recording if its type can be recorded, else by reflection.
  package init<Value>(of value: Value) {
    var writer = JSONWriter()
    let result = Result { () throws(RecordingTextFault) in
      guard let codec = ValueCodec<Value>() else { throw RecordingTextFault("no codec") }
      try withUnsafePointer(to: value) { (value) throws(RecordingTextFault) in try codec.write(value, &writer) }
    }
    if case .success = result { self.init(writer.text, columns: []) } else { self.init(reflecting: value) }
  }

  private init(reflecting value: Any) {
    var reflection = Reflection()
    reflection.add(value, "", depth: 0)
    (bytes, columns) = (reflection.bytes, [])
    leaves = reflection.leaves
  }

  private init(_ bytes: [UInt8], columns: [String]) {
    self.bytes = bytes
    self.columns = columns
    leaves = bytes.withUnsafeBytes { Self.leaves(of: $0, columns) }
  }

  var digest: FNV1aHash {
    var digest = FNV1aHash()
    bytes.withUnsafeBytes { digest.add($0) }
    return digest
  }

  /// Returns the differences, in the order of this frame. `form` gets the path, the value in this frame, and that in
  /// the other one.
  package func differences(
    from other: FlattenedFrame, _ form: (_ path: String, _ here: String, _ there: String) -> String
  )
    -> [String]
  {
    let there = Dictionary(other.leaves.map { ($0.path, other.text(of: $0)) }) { first, _ in first }
    var lines: [String] = []
    for leaf in leaves where there[leaf.path] != text(of: leaf) {
      lines.append(form(leaf.path, text(of: leaf), there[leaf.path] ?? "nothing"))
    }
    let here = Set(leaves.map(\.path))
    for leaf in other.leaves where !here.contains(leaf.path) {
      lines.append(form(leaf.path, "nothing", other.text(of: leaf)))
    }
    guard lines.count > Self.longestList else { return lines }
    return lines.prefix(Self.longestList) + ["\(lines.count - Self.longestList) more differences"]
  }

  /// Returns the text with another value in one place: `count`, `lamps[2].level`, a row's column.
  package func setting(_ path: String, to value: String) throws(RecordingTextFault) -> [UInt8] {
    guard let leaf = leaves.first(where: { $0.path == path }) else {
      let known = leaves.prefix(20).map(\.path).joined(separator: ", ")
      throw RecordingTextFault("the frame has no \"\(path)\"; it has: \(known)\(leaves.count > 20 ? ", ..." : "")")
    }
    return replacing(leaf.place, by: value)
  }

  /// Returns the row with other numbers in some columns.
  func changed(_ numbers: [Int: Int]) -> FlattenedFrame {
    var text = "["
    for (column, leaf) in leaves.enumerated() {
      text += (column > 0 ? "," : "") + (numbers[column].map(String.init) ?? self.text(of: leaf))
    }
    return FlattenedFrame(text + "]", columns: columns)
  }

  // MARK: - Finding a frame by its digest

  /// The distances from 0 and from the current number that are tried for a number.
  private static let triedNumbers = -1000...1000
  /// The maximum number of values that are tried: enough for all numbers of a frame that has up to 500 of them.
  private static let mostTries = 500 * 2 * triedNumbers.count

  /// Searches the frame with a digest, if it differs from this one in one value. Tries the value of the frame before,
  /// the other word, and numbers near 0 and near the current one. A recording contains only the digests of most frames;
  /// this finds the effect of a change in one rule. A wrong frame has the same digest with a probability of 2⁻⁶⁴.
  ///
  /// - Parameters:
  ///   - digest: the digest of the frame.
  ///   - before: the frame before.
  ///   - mostTries: the maximum number of values that are tried; likely ones are tried first.
  func search(for digest: FNV1aHash, near before: FlattenedFrame, mostTries: Int = Self.mostTries) -> FlattenedFrame? {
    let there = Dictionary(before.leaves.map { ($0.path, before.text(of: $0)) }) { first, _ in first }
    let states = states(for: digest)
    var tries = 0
    for (leaf, state) in zip(leaves, states) {
      let value = text(of: leaf)
      var words = there[leaf.path].map { [$0] } ?? []
      if value == "true" || value == "false" { words += ["true", "false"] }
      for word in words {
        tries += 1
        guard tries <= mostTries else { return nil }
        var found = state.before
        found.add(word)
        if found == state.behind { return FlattenedFrame(replacing(leaf.place, by: word), columns: columns) }
      }
    }
    for (leaf, state) in zip(leaves, states) {
      guard let number = Int(text(of: leaf)) else { continue }
      for tried in Self.triedNumbers {
        let (sum, overflow) = number.addingReportingOverflow(tried)
        for candidate in overflow ? [tried] : [tried, sum] {
          tries += 1
          guard tries <= mostTries else { return nil }
          var found = state.before
          found.add(number: candidate)
          guard found == state.behind else { continue }
          return FlattenedFrame(replacing(leaf.place, by: String(candidate)), columns: columns)
        }
      }
    }
    return nil
  }

  /// Returns, for each value, the digest of the bytes before it, and the digest that must be reached after it, so that
  /// the rest of the text leads to `digest`. Each tried value then costs only its own bytes, however long the frame is.
  private func states(for digest: FNV1aHash) -> [(before: FNV1aHash, behind: FNV1aHash)] {
    var before: [FNV1aHash] = []
    var (state, place) = (FNV1aHash(), 0)
    for leaf in leaves {
      bytes[place..<leaf.place.lowerBound].withUnsafeBytes { state.add($0) }
      before.append(state)
      bytes[leaf.place].withUnsafeBytes { state.add($0) }
      place = leaf.place.upperBound
    }
    var behind: [FNV1aHash] = []
    (state, place) = (digest, bytes.count)
    for leaf in leaves.reversed() {
      bytes[leaf.place.upperBound..<place].withUnsafeBytes { state.remove($0) }
      behind.append(state)
      bytes[leaf.place].withUnsafeBytes { state.remove($0) }
      place = leaf.place.lowerBound
    }
    return Array(zip(before, behind.reversed()))
  }

  private func replacing(_ place: Range<Int>, by text: String) -> [UInt8] {
    bytes[..<place.lowerBound] + Array(text.utf8) + bytes[place.upperBound...]
  }

  // MARK: - Leaves

  private func text(of leaf: Leaf) -> String { String(decoding: bytes[leaf.place], as: UTF8.self) }

  private static func leaves(of text: UnsafeRawBufferPointer, _ columns: [String]) -> [Leaf] {
    var leaves: [Leaf] = []
    var reader = JSONReader(text)
    // The writer has written it, so it can be read.
    try? collect(&reader, "", columns, into: &leaves)
    return leaves
  }

  /// Collects the leaves of a value; its depth is limited by ``JSONReader/maximumDepth``.
  private static func collect(
    _ reader: inout JSONReader, _ path: String, _ columns: [String], into leaves: inout [Leaf]
  ) throws(RecordingTextFault) {
    switch reader.nextKind() {
    case .object:
      try reader.beginObject()
      while let key = try reader.nextKey() {
        try collect(&reader, path.isEmpty ? key : "\(path).\(key)", [], into: &leaves)
      }
    case .array:
      try reader.beginArray()
      var index = 0
      while try reader.hasElement() {
        let name = columns.indices.contains(index) ? columns[index] : "\(path)[\(index)]"
        try collect(&reader, name, [], into: &leaves)
        index += 1
      }
    default: leaves.append(Leaf(path: path.isEmpty ? "value" : path, place: try reader.skipValue()))
    }
  }
}

extension FlattenedFrame {
  /// A value that a recording can't contain, split by reflection.
  private struct Reflection {
    var bytes: [UInt8] = []
    var leaves: [Leaf] = []

    private static let deepest = 32

    mutating func add(_ value: Any, _ path: String, depth: Int) {
      let mirror = Mirror(reflecting: value)
      let isList = mirror.displayStyle == .collection || mirror.displayStyle == .tuple
      let isWhole = mirror.children.isEmpty || mirror.displayStyle == .enum || mirror.displayStyle == .class
      guard depth < Self.deepest, !isWhole, isList || !(value is any CustomStringConvertible) else {
        let text = Array("\(value)".utf8)
        leaves.append(Leaf(path: path.isEmpty ? "value" : path, place: bytes.count..<bytes.count + text.count))
        bytes += text
        return
      }
      for (index, child) in mirror.children.enumerated() {
        let label = isList ? nil : child.label
        add(child.value, label.map { path.isEmpty ? $0 : "\(path).\($0)" } ?? "\(path)[\(index)]", depth: depth + 1)
      }
    }
  }
}
