/// A key of a terminal.
package enum TerminalKey: Equatable, Sendable {
  /// A key that sends one byte: a letter, a digit, or a combination with Ctrl. Ctrl-C is 3.
  case byte(UInt8)
  case up, down, pageUp, pageDown, home, end, escape
}

/// Reads keys from the bytes that a terminal sends. A sequence can arrive in several pieces, for example on a slow
/// connection.
package struct KeyDecoder: Sendable {
  private enum State {
    case plain
    /// After Escape: the key itself, or the beginning of a sequence.
    case escape
    /// In a sequence, with its bytes so far.
    case sequence([UInt8])
  }

  private var state = State.plain

  package init() {}

  /// Returns the keys in the bytes. Ignores sequences of keys that have no meaning here.
  package mutating func keys(in bytes: some Sequence<UInt8>) -> [TerminalKey] {
    var keys: [TerminalKey] = []
    for byte in bytes {
      switch state {
      case .sequence(let begun): read(byte, after: begun, &keys)
      case .escape where byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O"):
        // The Escape was part of a sequence, and not the key.
        if keys.last == .escape { keys.removeLast() }
        state = .sequence([byte])
      case .escape, .plain:
        state = byte == 0x1B ? .escape : .plain
        // If the bytes end here, this is the key Escape.
        keys.append(byte == 0x1B ? .escape : .byte(byte))
      }
    }
    return keys
  }

  /// Reads a byte of a control sequence: ECMA-48, 5.4. `ESC O` is followed by one byte.
  private mutating func read(_ byte: UInt8, after begun: [UInt8], _ keys: inout [TerminalKey]) {
    switch byte {
    case 0x1B: state = .escape
    // Longer sequences have no meaning; the rest is read to its end.
    case 0x20..<0x40: state = .sequence(begun.count < 16 ? begun + [byte] : begun)
    // The Linux console sends `ESC [ [ A` for F1.
    case UInt8(ascii: "[") where begun == [UInt8(ascii: "[")]: state = .sequence(begun + [byte])
    default:
      state = .plain
      if let key = Self.sequences[begun.dropFirst() + [byte]] { keys.append(key) }
    }
  }

  private static let sequences: [ArraySlice<UInt8>: TerminalKey] = [
    "A": TerminalKey.up, "B": .down, "H": .home, "F": .end, "1~": .home, "7~": .home, "4~": .end, "8~": .end,
    "5~": .pageUp,
    "6~": .pageDown,
  ].reduce(into: [:]) { $0[Array($1.key.utf8)[...]] = $1.value }
}
