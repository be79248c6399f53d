extension WiringText {
  /// The header seen from above, one row of pins per line, with the devices' names at their pins. It contains no routed
  /// wires, so it works for every plan.
  var header: [String] {
    let spaces = { (count: Int) in String(repeating: " ", count: max(0, count)) }
    let rows = (0..<BoardHeader.pinCount / 2).map { row -> String in
      let (odd, even) = (pin(2 * row + 1), pin(2 * row + 2))
      let left = odd.user.isEmpty ? odd.name : "\(odd.user) \(odd.wire) \(odd.name)"
      let right = even.user.isEmpty ? even.name : "\(even.name) \(even.wire) \(even.user)"
      return spaces(Self.column - left.count) + odd.painted("\(left) \(odd.brackets)") + " "
        + even.painted("\(even.brackets) \(right)")
    }
    return [spaces(30) + "SD card end" + spaces(14) + "[ ] in use"] + rows
      + [spaces(30) + "USB end, seen from above", ""]
  }

  /// The number of columns left of the numbers.
  private static let column = 32

  /// A pin with the texts beside it.
  private struct Pin {
    let name: String
    /// The device with its terminal, or the rail; empty for a free pin.
    let user: String
    let brackets: String
    let painted: (String) -> String

    var wire: String { String(repeating: "─", count: max(2, 8 - name.count)) }
  }

  private func pin(_ pin: Int) -> Pin {
    let name = BoardHeader.contacts[pin - 1].name
    let number = pin < 10 ? " \(pin)" : "\(pin)"
    let users = plan.devices.enumerated().flatMap { index, device in
      device.terminals.filter { $0.pin == pin }.map { (index: index, name: device.name, role: device.roleSuffix($0)) }
    }
    if let first = users.first {
      // For several devices on a bus: the first one, and the number of the others.
      let end = first.role + (users.count > 1 ? " +\(users.count - 1)" : "")
      let user = TextWidth.shortened(first.name, toColumns: Self.column - 10 - end.count) + end
      return Pin(name: name, user: user, brackets: "[\(number)]") { paint.device($0, first.index) }
    }
    if let net = plan.nets.first(where: { $0.headerPin == pin }) {
      return Pin(name: name, user: "\(net.words) rail", brackets: "[\(number)]", painted: paint.bold)
    }
    return Pin(name: name, user: "", brackets: "(\(number))", painted: paint.dim)
  }
}

extension TextWidth {
  /// The text, without its middle if it has more characters than `columns`.
  static func shortened(_ text: String, toColumns columns: Int) -> String {
    text.count <= columns ? text : joined(Array(text), keeping: max(2, columns - 1))
  }
}
