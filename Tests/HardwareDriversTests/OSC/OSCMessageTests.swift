import CycleCore
import HardwareSimulation
import TestSupport
import Testing

@testable import HardwareDrivers

@Suite("Messages of Open Sound Control")
struct OSCMessageTests {
  /// The examples of the specification, page "OSC Spec Examples".
  @Test("the specification's examples are read")
  func examples() throws {
    let frequency = Self.packet(Array("/oscillator/4/frequency\0,f\0\0".utf8), [0x43, 0xDC, 0, 0])
    #expect(try OSCMessage.messages(in: frequency) == [OSCMessage("/oscillator/4/frequency", [.real(440)])])
    let foo = Self.packet(
      Array("/foo\0\0\0\0,iisff\0\0".utf8), [0, 0, 0x03, 0xE8, 0xFF, 0xFF, 0xFF, 0xFF], Array("hello\0\0\0".utf8),
      [0x3F, 0x9D, 0xF3, 0xB6, 0x40, 0xB5, 0xB2, 0x2D])
    #expect(
      try OSCMessage.messages(in: foo) == [
        OSCMessage("/foo", [.integer(1000), .integer(-1), .text("hello"), .real(1.234), .real(5.678)])
      ])
  }

  @Test("each type of argument is read")
  func types() throws {
    let packet = Self.packet(
      Array("/x\0\0,bTFNIhdtS\0\0".utf8), [0, 0, 0, 5, 1, 2, 3, 4, 5, 0, 0, 0],
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE], [0x3F, 0xF8, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 1],
      Array("ab\0\0".utf8))
    #expect(
      try OSCMessage.messages(in: packet) == [
        OSCMessage(
          "/x",
          [
            .bytes([1, 2, 3, 4, 5]), .truth(true), .truth(false), .nothing, .impulse, .longInteger(-2), .longReal(1.5),
            .time(1), .text("ab"),
          ])
      ])
    #expect(try OSCMessage.messages(in: Array("/start\0\0".utf8)) == [OSCMessage("/start")])
  }

  @Test("a bundle's messages are read in their order, those of bundles in it, too")
  func bundles() throws {
    let inner = Self.bundle([Array("/b\0\0,\0\0\0".utf8)])
    let outer = Self.bundle([Array("/a\0\0,\0\0\0".utf8), inner, Array("/c\0\0,\0\0\0".utf8)])
    #expect(try OSCMessage.messages(in: outer) == [OSCMessage("/a"), OSCMessage("/b"), OSCMessage("/c")])
    #expect(try OSCMessage.messages(in: Self.bundle([])) == [])
  }

  @Test(
    "what is no packet is refused with the reason",
    arguments: [
      (Array("/abc".utf8), "a text in it has no end"), (Array("/ab".utf8), "its length is not a multiple of 4"),
      ([], "it begins with neither / nor #bundle"), (Array("abc\0".utf8), "it begins with neither / nor #bundle"),
      (Array("#bundlE\0\0\0\0\0\0\0\0\u{1}".utf8), "it begins with neither / nor #bundle"),
      (Array("/a\0\0i\0\0\0".utf8), "the types of its arguments are missing"),
      (Array("/a\0\0,i\0\0".utf8), "it ends too early"),
      (Array("/a\0\0,q\0\0".utf8), "it has an argument of an unknown type"),
      (Array("/a\0\0,\0\0\0abcd".utf8), "there is more in it than its types say"),
      (Array("/a\0\0,b\0\0".utf8) + [0xFF, 0xFF, 0xFF, 0xFF], "it ends too early"),
      (Array("/".utf8) + [0xFF, 0, 0], "a text in it is not UTF-8"),
      (Array("#bundle\0\0\0\0\0\0\0\0\u{1}".utf8) + [0x7F, 0xFF, 0xFF, 0xFF], "it ends too early"),
    ] as [([UInt8], String)])
  func refused(_ packet: [UInt8], _ reason: String) {
    #expect(Self.problem(of: packet) == reason)
  }

  @Test("bundles nested too deep, and too many messages, are refused")
  func bounds() {
    var bundle = Array("/a\0\0".utf8)
    for _ in 0..<4 { bundle = Self.bundle([bundle]) }
    #expect(Self.problem(of: bundle) == nil)
    #expect(Self.problem(of: Self.bundle([bundle])) == "bundles are nested deeper than 4")
    let many = Self.bundle(Array(repeating: Array("/a\0\0".utf8), count: 64))
    #expect(Self.problem(of: many) == nil)
    #expect(Self.problem(of: Self.bundle([many, Array("/a\0\0".utf8)])) == "it has more than 64 messages")
  }

  @Test("damaged packets are read or refused")
  func damaged() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var chance = SeededGenerator(seed: seed)
    let whole = Self.bundle([
      Self.packet(
        Array("/panel/bell/set/level\0\0\0,ifs\0\0\0\0".utf8), [0, 0, 0, 9, 0x3F, 0x80, 0, 0],
        Array("nine\0\0\0\0".utf8)),
      Self.bundle([Self.packet(Array("/x\0\0,b\0\0".utf8), [0, 0, 0, 2, 7, 8, 0, 0])]),
    ])
    var readCount = 0
    for _ in 0..<20_000 {
      var packet = whole
      for _ in 0..<Int.random(in: 1...4, using: &chance) {
        switch Int.random(in: 0..<3, using: &chance) {
        case 0: packet[Int.random(in: packet.indices, using: &chance)] = .random(in: 0...255, using: &chance)
        case 1: packet.removeLast(min(packet.count - 1, 4 * Int.random(in: 0...3, using: &chance)))
        default: packet += [0, 0, 0, .random(in: 0...255, using: &chance)]
        }
      }
      if Self.problem(of: packet) == nil { readCount += 1 }
    }
    #expect(readCount > 0 && readCount < 20_000, "seed \(seed)")
  }

  @Test("what is written is read as the same", arguments: ["", "a", "ab", "abc", "abcd", "Glocke läutet"])
  func written(_ text: String) throws {
    let store = PayloadPool(slots: 1)
    for number in [0, 7, -1, Int(Int32.max), Int(Int32.min), Int.max, Int.min] {
      store.write(0) { writer in
        writer.write(osc: "/\(text)")
        writer.write(oscArgument: number)
      }
      let message = OSCMessage("/\(text)", [.integer(Int32(clamping: number))])
      #expect(try OSCMessage.messages(in: store[0]) == [message])
    }
    store.write(0) { writer in
      writer.write(osc: "/a")
      writer.write(oscArgument: text)
    }
    #expect(try OSCMessage.messages(in: store[0]) == [OSCMessage("/a", [.text(text)])])
  }

  @Test("arguments are words: whole numbers without a point, truth as 1 and 0")
  func words() {
    let arguments: [OSCArgument] = [
      .integer(-3), .real(1), .real(0.5), .longReal(0.25), .truth(true), .truth(false), .text("click"), .impulse,
      .bytes([1]),
    ]
    #expect(ReceivedMessage(OSCMessage("/x", arguments)).payload == Array("-3 1 0.5 0.25 1 0 click".utf8))
  }

  private static func problem(of packet: [UInt8]) -> String? {
    do throws(OSCMessage.Problem) {
      _ = try OSCMessage.messages(in: packet)
      return nil
    } catch {
      return error.reason
    }
  }

  private static func packet(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

  private static func bundle(_ elements: [[UInt8]]) -> [UInt8] {
    var bytes = packet(Array("#bundle\0".utf8), [0, 0, 0, 0, 0, 0, 0, 1])
    for element in elements {
      for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: element.count >> shift)) }
      bytes += element
    }
    return bytes
  }
}
