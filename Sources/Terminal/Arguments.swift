import Glibc

/// The arguments of this process. Names of files are bytes, and need not be UTF-8.
package enum Arguments {
  /// The arguments as text. Bytes that are not UTF-8 are represented as in ``PathBytes``.
  package static var list: [String] {
    (1..<max(1, Int(CommandLine.argc))).map { index in
      guard let argument = CommandLine.unsafeArgv[index] else { return "" }
      return PathBytes.text(of: Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))))
    }
  }
}

/// A path as text. A byte that is not UTF-8 becomes a character of a private range, which has no other use.
package enum PathBytes {
  private static let firstEscape: UInt32 = 0x10FF00

  package static func text(of bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    var rest = bytes.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var place = 0
    loop: while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if byte(escapedAs: scalar) == nil {
          text.append(scalar)
        } else {
          for byte in encoded { text.append(escape(byte)) }
        }
        place += encoded.count
      case .error(let length):
        for byte in bytes[place..<place + length] { text.append(escape(byte)) }
        place += length
      case .emptyInput: break loop
      }
    }
    return String(text)
  }

  package static func bytes(of text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if let byte = byte(escapedAs: scalar) { bytes.append(byte) } else { bytes += UTF8.encode(scalar)! }
    }
    return bytes
  }

  /// Returns the byte that a character of the private range represents; nil for any other character.
  package static func byte(escapedAs scalar: Unicode.Scalar) -> UInt8? {
    scalar.value >= firstEscape + 0x80 ? UInt8(truncatingIfNeeded: scalar.value) : nil
  }

  private static func escape(_ byte: UInt8) -> Unicode.Scalar { Unicode.Scalar(firstEscape + UInt32(byte))! }
}
