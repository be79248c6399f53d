extension PayloadWriter {
  /// Appends an OSC string: text, then one to four zeros so that its length is a multiple of 4. Text with a zero byte
  /// ends there.
  ///
  /// - Parameter text: the text.
  public mutating func write(osc text: String) {
    let begin = count
    for byte in text.utf8 {
      guard byte != 0 else { break }
      write(byte)
    }
    repeat { write(0 as UInt8) } while (count - begin) % 4 != 0 && hasRoom
  }

  /// Appends the types and the values of one argument: a whole number.
  ///
  /// - Parameter number: the number; clamped to the range of 32 bits.
  public mutating func write(oscArgument number: Int) {
    write(osc: ",i")
    let bits = UInt32(bitPattern: Int32(clamping: number))
    for shift in [24, 16, 8, 0] { write(UInt8(truncatingIfNeeded: bits >> UInt32(shift))) }
  }

  /// Appends the types and the values of one argument: a text.
  ///
  /// - Parameter text: the text.
  public mutating func write(oscArgument text: String) {
    write(osc: ",s")
    write(osc: text)
  }

  /// Appends the types and the values of arguments.
  ///
  /// - Parameter arguments: the arguments; bytes beyond the end of the payload are dropped.
  public mutating func write(oscArguments arguments: [OSCArgument]) {
    write(osc: "," + String(decoding: arguments.map(\.type), as: UTF8.self))
    for argument in arguments { write(argument) }
  }

  private mutating func write(_ argument: OSCArgument) {
    switch argument {
    case .integer(let number): write(bigEndian: UInt32(bitPattern: number))
    case .real(let number): write(bigEndian: number.bitPattern)
    case .longInteger(let number): write(bigEndian: UInt64(bitPattern: number))
    case .longReal(let number): write(bigEndian: number.bitPattern)
    case .time(let time): write(bigEndian: time)
    case .text(let text): write(osc: text)
    case .bytes(let bytes):
      write(bigEndian: UInt32(clamping: bytes.count))
      for byte in bytes { write(byte) }
      for _ in 0..<(4 - bytes.count % 4) % 4 { write(0 as UInt8) }
    case .truth, .nothing, .impulse: break
    }
  }

  private mutating func write(bigEndian number: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      write(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}

extension OSCMessage {
  /// The message as text: its address and its arguments, separated by blanks, as in `/fader/1 7`. Arguments that can't
  /// be written as a word are omitted.
  public var words: String { ([address] + arguments.compactMap(\.word)).joined(separator: " ") }

  /// The message as a datagram.
  public var datagram: [UInt8] {
    let texts = arguments.reduce(address.utf8.count) { $0 + $1.longestByteCount }
    var bytes = [UInt8](repeating: 0, count: texts + arguments.count + 16)
    let count = bytes.withUnsafeMutableBytes { memory in
      var writer = PayloadWriter(memory)
      writer.write(osc: address)
      writer.write(oscArguments: arguments)
      return writer.count
    }
    return Array(bytes.prefix(count))
  }
}

extension ReceivedMessage {
  /// Creates a message with a topic and text from a message of Open Sound Control: the text of `/panel/bell/set/level
  /// ,i 9` is `9`.
  ///
  /// - Parameter message: the message. Arguments that can't be written as a word are omitted from the text.
  public init(_ message: OSCMessage) {
    let words = message.arguments.compactMap(\.word).joined(separator: " ")
    self.init(
      topic: message.address, payload: Array(words.utf8.prefix(Self.longestPayload + 1)), arguments: message.arguments)
  }

  /// The messages of a datagram. Other datagrams give a single message without a topic, with the reason as its payload.
  ///
  /// - Parameter datagram: its bytes.
  public static func messages(in datagram: some Collection<UInt8>) -> [ReceivedMessage] {
    do throws(OSCMessage.Problem) {
      return try OSCMessage.messages(in: datagram).map { ReceivedMessage($0) }
    } catch {
      return [ReceivedMessage(topic: "", payload: Array(error.reason.utf8))]
    }
  }
}

extension OSCArgument {
  /// The letter for this argument among the types.
  fileprivate var type: UInt8 {
    switch self {
    case .integer: UInt8(ascii: "i")
    case .real: UInt8(ascii: "f")
    case .text: UInt8(ascii: "s")
    case .bytes: UInt8(ascii: "b")
    case .truth(let isTrue): UInt8(ascii: isTrue ? "T" : "F")
    case .longInteger: UInt8(ascii: "h")
    case .longReal: UInt8(ascii: "d")
    case .time: UInt8(ascii: "t")
    case .nothing: UInt8(ascii: "N")
    case .impulse: UInt8(ascii: "I")
    }
  }

  /// The maximum number of bytes of its value.
  fileprivate var longestByteCount: Int {
    switch self {
    case .text(let text): text.utf8.count + 4
    case .bytes(let bytes): bytes.count + 7
    default: 8
    }
  }

  /// The argument as a word: `9`, `0.5`, `1` for true; nil for one that can't be written as a word. A number with a
  /// zero fraction is written without it, because senders of faders and buttons use only `f`.
  public var word: String? {
    switch self {
    case .integer(let number): "\(number)"
    case .longInteger(let number): "\(number)"
    case .real(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .longReal(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .text(let text): text
    case .truth(let isTrue): isTrue ? "1" : "0"
    case .bytes, .time, .nothing, .impulse: nil
    }
  }
}
