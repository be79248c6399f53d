/// An argument of a message of Open Sound Control.
///
/// **Source.** The Open Sound Control 1.0 Specification (2002): its types, and those of the older ones that version 1.1
/// makes standard.
public enum OSCArgument: Equatable, Sendable, Codable {
  /// `i`: 32 bits.
  case integer(Int32)
  /// `f`: 32 bits.
  case real(Float)
  /// `s`, and `S`: text without a zero byte.
  case text(String)
  /// `b`.
  case bytes([UInt8])
  /// `T` and `F`.
  case truth(Bool)
  /// `h`: 64 bits.
  case longInteger(Int64)
  /// `d`: 64 bits.
  case longReal(Double)
  /// `t`: seconds since 1900 in the upper 32 bits, their fraction in the lower ones; 1 means now.
  case time(UInt64)
  /// `N`.
  case nothing
  /// `I`: an impulse without a value.
  case impulse

  /// Whether it is a number: `i`, `f`, `h` or `d`.
  public var isNumber: Bool {
    switch self {
    case .integer, .real, .longInteger, .longReal: true
    case .text, .bytes, .truth, .time, .nothing, .impulse: false
    }
  }
}

/// A message of Open Sound Control: a command or a value at an address.
public struct OSCMessage: Equatable, Sendable {
  /// `/cue/5/start`.
  public var address: String
  public var arguments: [OSCArgument]

  public init(_ address: String, _ arguments: [OSCArgument] = []) {
    (self.address, self.arguments) = (address, arguments)
  }

  /// The reason why a packet can't be read, as a clause without a full stop.
  public struct Problem: Error, Equatable {
    public var reason: String
  }

  /// The maximum depth of bundles in bundles, and the maximum number of messages in a packet; larger packets are
  /// refused.
  static let deepestBundle = 4
  static let mostMessages = 64

  /// Reads a packet: a message, or a bundle of messages and bundles. A bundle's time is ignored: its messages apply
  /// now.
  ///
  /// - Parameter packet: the bytes of a datagram.
  /// - Returns: its messages, in their order.
  /// - Throws: the reason why it is not a packet. Then none of it must be used.
  public static func messages(in packet: some Collection<UInt8>) throws(Problem) -> [OSCMessage] {
    var messages: [OSCMessage] = []
    try read(OSCReader(packet), depth: 0, into: &messages)
    return messages
  }

  private static func read(
    _ packet: consuming OSCReader, depth: Int, into messages: inout [OSCMessage]
  ) throws(Problem) {
    var reader = packet
    guard reader.count % 4 == 0 else { throw Problem(reason: "its length is not a multiple of 4") }
    guard reader.next == UInt8(ascii: "#") else {
      guard messages.count < mostMessages else { throw Problem(reason: "it has more than \(mostMessages) messages") }
      return messages.append(try message(&reader))
    }
    guard try reader.text() == "#bundle" else { throw Problem(reason: "it begins with neither / nor #bundle") }
    guard depth < deepestBundle else { throw Problem(reason: "bundles are nested deeper than \(deepestBundle)") }
    _ = try reader.number(UInt64.self)
    while !reader.isAtEnd {
      let size = try reader.number(Int32.self)
      try read(OSCReader(try reader.bytes(Int(size))), depth: depth + 1, into: &messages)
    }
  }

  private static func message(_ reader: inout OSCReader) throws(Problem) -> OSCMessage {
    guard reader.next == UInt8(ascii: "/") else { throw Problem(reason: "it begins with neither / nor #bundle") }
    var message = OSCMessage(try reader.text())
    // Old senders omit the types if a message has no arguments.
    guard !reader.isAtEnd else { return message }
    let types = try reader.text()
    guard types.utf8.first == UInt8(ascii: ",") else { throw Problem(reason: "the types of its arguments are missing") }
    for type in types.utf8.dropFirst() { message.arguments.append(try argument(type, &reader)) }
    guard reader.isAtEnd else { throw Problem(reason: "there is more in it than its types say") }
    return message
  }

  private static func argument(_ type: UInt8, _ reader: inout OSCReader) throws(Problem) -> OSCArgument {
    switch type {
    case UInt8(ascii: "i"): return .integer(try reader.number(Int32.self))
    case UInt8(ascii: "f"): return .real(Float(bitPattern: try reader.number(UInt32.self)))
    case UInt8(ascii: "s"), UInt8(ascii: "S"): return .text(try reader.text())
    case UInt8(ascii: "b"):
      let count = try reader.number(Int32.self)
      let bytes = Array(try reader.bytes(Int(count)))
      _ = try reader.bytes((4 - bytes.count % 4) % 4)
      return .bytes(bytes)
    case UInt8(ascii: "T"): return .truth(true)
    case UInt8(ascii: "F"): return .truth(false)
    case UInt8(ascii: "h"): return .longInteger(try reader.number(Int64.self))
    case UInt8(ascii: "d"): return .longReal(Double(bitPattern: try reader.number(UInt64.self)))
    case UInt8(ascii: "t"): return .time(try reader.number(UInt64.self))
    case UInt8(ascii: "N"): return .nothing
    case UInt8(ascii: "I"): return .impulse
    default: throw Problem(reason: "it has an argument of an unknown type")
    }
  }
}

/// Reads parts from the beginning of a packet.
private struct OSCReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Collection<UInt8>) {
    rest = ArraySlice(bytes)
  }

  var count: Int { rest.count }
  var next: UInt8? { rest.first }
  var isAtEnd: Bool { rest.isEmpty }

  mutating func bytes(_ count: Int) throws(OSCMessage.Problem) -> ArraySlice<UInt8> {
    guard count >= 0, count <= rest.count else { throw OSCMessage.Problem(reason: "it ends too early") }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Reads a big-endian number.
  mutating func number<Number: FixedWidthInteger>(_: Number.Type) throws(OSCMessage.Problem) -> Number {
    try bytes(Number.bitWidth / 8).reduce(0) { $0 << 8 | Number($1) }
  }

  /// Reads a text. It ends with one to four zeros, so that its length is a multiple of 4.
  mutating func text() throws(OSCMessage.Problem) -> String {
    guard let end = rest.firstIndex(of: 0) else { throw OSCMessage.Problem(reason: "a text in it has no end") }
    let bytes = rest[..<end]
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw OSCMessage.Problem(reason: "a text in it is not UTF-8")
    }
    _ = try self.bytes((bytes.count / 4 + 1) * 4)
    return text
  }
}
