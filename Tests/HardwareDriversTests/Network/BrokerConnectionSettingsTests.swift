import CycleCore
import HardwareDrivers
import TestSupport
import Testing

@testable import HardwareDrivers

@Suite("Addresses of brokers")
struct BrokerConnectionSettingsTests {
  @Test(
    "an address is read and written",
    arguments: [
      ("mqtt://broker.lan", "broker.lan", 1883, false), ("mqtts://broker.lan", "broker.lan", 8883, true),
      ("mqtt://10.0.0.7:2000", "10.0.0.7", 2000, false), ("mqtts://[::1]:65535", "::1", 65535, true),
      ("mqtt://[fe80::1]", "fe80::1", 1883, false),
    ])
  func reads(_ text: String, _ host: String, _ port: UInt16, _ hasTLS: Bool) throws {
    let address = try BrokerConnectionSettings(text)
    #expect(address.host == host && address.port == port && address.hasTLS == hasTLS)
    #expect(address.text == text)
  }

  @Test("the standard port is left out")
  func standardPort() throws {
    #expect(try BrokerConnectionSettings("mqtt://a:1883").text == "mqtt://a")
    #expect(try BrokerConnectionSettings("mqtts://a:1883").text == "mqtts://a:1883")
  }

  @Test(
    "a wrong address says what is wrong with it",
    arguments: [
      ("broker.lan", "it begins with neither mqtt:// nor mqtts://"), ("mqtt://", "the name of the broker is missing"),
      ("mqtt://:1883", "the name of the broker is missing"), ("mqtt://a:0", "\":0\" is not a port; write :1 to :65535"),
      ("mqtt://a:65536", "\":65536\" is not a port; write :1 to :65535"),
      ("mqtt://a:", "\":\" is not a port; write :1 to :65535"),
      ("mqtt://a:1b", "\":1b\" is not a port; write :1 to :65535"), ("mqtt://[::1", "the bracket is not closed"),
      ("mqtt://[::1]x", "\"x\" is not a port; write :1 to :65535"),
      ("mqtt://me@a", "\"me@a\" is not a host name; put user and password under their own keys"),
      ("mqtt://a/b", "\"a/b\" is not a host name; put user and password under their own keys"),
    ])
  func refuses(_ text: String, _ reason: String) {
    let error = driverError { _ = try BrokerConnectionSettings(text) }
    #expect(error?.kind == .misconfigured && error?.reason == reason)
  }
}
