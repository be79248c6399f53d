/// Writes property lists in Apple's binary form, as CycleMonitor's moments and timelines are.
package enum BinaryPropertyList {
  package indirect enum Value {
    case dictionary([(String, Value)])
    case array([Value])
    case string(String)
    case integer(Int)
    case bool(Bool)
  }

  /// The bytes of a list of fewer than 65536 values, whose texts are ASCII or UTF-16.
  package static func bytes(_ root: Value) -> [UInt8] {
    var objects: [[UInt8]] = []
    func add(_ value: Value) -> Int {
      let place = objects.count
      objects.append([])
      switch value {
      case .dictionary(let pairs):
        let references = pairs.map { add(.string($0.0)) } + pairs.map { add($0.1) }
        objects[place] = head(13, pairs.count) + references.flatMap { number($0, 2) }
      case .array(let values):
        let references = values.map { add($0) }
        objects[place] = head(10, values.count) + references.flatMap { number($0, 2) }
      case .string(let text) where text.utf8.allSatisfy({ $0 < 128 }):
        objects[place] = head(5, text.utf8.count) + Array(text.utf8)
      case .string(let text): objects[place] = head(6, text.utf16.count) + text.utf16.flatMap { number(Int($0), 2) }
      case .integer(let integer): objects[place] = [0x13] + number(integer, 8)
      case .bool(let isTrue): objects[place] = [isTrue ? 9 : 8]
      }
      return place
    }
    let top = add(root)
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    bytes += offsets.flatMap { number($0, 4) }
    bytes += [0, 0, 0, 0, 0, 0, 4, 2]
    return bytes + number(objects.count, 8) + number(top, 8) + number(table, 8)
  }

  private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind << 4 | UInt8(count)] : [kind << 4 | 15, 0x11] + number(count, 2)
  }

  private static func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// A moment of an application with one number, `screen.total`, whose toggler has acted.
  ///
  /// - Parameters:
  ///   - total: the number before, and the one after.
  ///   - drivers: the names of the drivers.
  ///   - isApproved: nil leaves the key out.
  package static func moment(
    total: (Int, Int), action: String = "incrementing", drivers: [String] = ["shakes", "toggler", "session"],
    isApproved: Bool? = nil
  ) -> Value {
    func driver(_ name: String) -> Value {
      .dictionary([
        ("label", .string(name)), ("action", .string(name == "toggler" ? action : "")), ("id", .string(name)),
      ])
    }
    func frame(_ total: Int) -> Value {
      .string("{\n  \"screen\" : {\n    \"total\" : \"\(total)\"\n  },\n  \"list\" : [\n\n  ]\n}")
    }
    return .dictionary(
      [
        ("drivers", .array(drivers.map(driver))), ("context", frame(total.0)), ("cause", driver("toggler")),
        ("effect", frame(total.1)),
      ] + (isApproved.map { [("isApproved", .bool($0))] } ?? []))
  }

  package static func timeline(_ moments: [Value], selected: Value) -> Value {
    .dictionary([("selectedIndex", selected), ("events", .array(moments))])
  }
}
