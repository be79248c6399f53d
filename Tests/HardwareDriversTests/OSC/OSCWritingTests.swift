import HardwareDrivers
import Testing

@Suite("Messages of Open Sound Control as they are written")
struct OSCWritingTests {
  @Test("a message is its address, its types and its values, each in words of four bytes")
  func bytes() {
    #expect(OSCMessage("/go").datagram == Array("/go\0,\0\0\0".utf8))
    var bytes = Array("/a\0\0,isf\0\0\0\0".utf8)
    bytes += [0xFF, 0xFF, 0xFF, 0xFE]
    bytes += Array("go\0\0".utf8)
    bytes += [0x3F, 0, 0, 0]
    #expect(OSCMessage("/a", [.integer(-2), .text("go"), .real(0.5)]).datagram == bytes)
  }

  @Test("every argument that is written is read as it was")
  func roundTrip() throws {
    let message = OSCMessage(
      "/all/of/them",
      [
        .integer(.min), .real(-1.25), .text("grün"), .text(""), .bytes([1, 2, 3]), .truth(true), .truth(false),
        .longInteger(.max), .longReal(0.1), .time(1), .nothing, .impulse,
      ])
    #expect(try OSCMessage.messages(in: message.datagram) == [message])
  }

  @Test(
    "in words a message has its address and its arguments",
    arguments: [
      (OSCMessage("/go"), "/go"), (OSCMessage("/fader/1", [.integer(7)]), "/fader/1 7"),
      (OSCMessage("/x", [.real(2.5), .real(3), .text("on"), .truth(true), .nothing]), "/x 2.5 3 on 1"),
    ])
  func words(_ message: OSCMessage, _ words: String) { #expect(message.words == words) }

  @Test("a datagram that is none is heard without an address, with its reason")
  func damaged() {
    #expect(
      ReceivedMessage.messages(in: Array("abc".utf8))
        == [ReceivedMessage(topic: "", payload: Array("its length is not a multiple of 4".utf8))])
    #expect(
      ReceivedMessage.messages(in: OSCMessage("/set", [.integer(9)]).datagram)
        == [ReceivedMessage(topic: "/set", payload: Array("9".utf8), arguments: [.integer(9)])])
  }
}
