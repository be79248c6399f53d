import CycleCore
import HardwareDrivers
import TestSupport
import Testing

@testable import PanelNetwork

@Suite("Where a panel's broker is, and who the panel is there")
struct MQTTEnvironmentTests {
  private func place(_ variables: [String: String], path: String = "/etc/panel/Front door.panel.yaml")
    -> MQTTEnvironment
  {
    MQTTEnvironment(
      ofFile: path, Array("panel: A".utf8), on: (name: "pi-3", identity: "0123456789abcdef"),
      variable: { variables[$0] })
  }

  @Test("a panel is called as its file, or as PANEL_ID says, and each machine's client has an id of its own")
  func names() {
    let place = place(["PANEL_MQTT": "mqtt://broker.lan"])
    #expect(place.id == "front-door" && place.host == "pi-3")
    #expect(
      place.client.hasPrefix("panel-front-door-") && place.client.utf8.count == "panel-front-door-".utf8.count + 8)
    #expect(place.file.utf8.count == 8)
    #expect(place.port.address?.text == "mqtt://broker.lan")
    #expect(self.place(["PANEL_MQTT": "mqtt://broker.lan", "PANEL_ID": "hall"]).id == "hall")
    let other = MQTTEnvironment(
      ofFile: "hall.panel.yaml", [], on: (name: "pi-4", identity: "fedcba9876543210"), variable: { _ in nil })
    #expect(other.client.suffix(8) != place.client.suffix(8))
  }

  @Test("user, files and certificates are those of the environment")
  func address() {
    let address = place([
      "PANEL_MQTT": "mqtts://broker.lan", "PANEL_MQTT_USER": "me", "PANEL_MQTT_PASSWORD_FILE": "/p",
      "PANEL_MQTT_CA": "/ca",
      "PANEL_MQTT_CERT": "/cert", "PANEL_MQTT_KEY": "/key",
    ]).port.address
    #expect(address?.user == "me" && address?.passwordFile == "/p" && address?.authorities == "/ca")
    #expect(address?.certificate == "/cert" && address?.key == "/key" && address?.acceptsAnyCertificate == false)
  }

  @Test(
    "without an address the broker says what is missing, and what to do",
    arguments: [
      ([:], "PANEL_MQTT is not set", "PANEL_MQTT=mqtt://HOST"),
      (["PANEL_MQTT": "broker.lan"], "PANEL_MQTT: it begins with neither mqtt:// nor mqtts://", ""),
      (
        ["PANEL_MQTT": "mqtt://a", "PANEL_ID": "a/b"], "PANEL_ID is \"a/b\", which can't be part of a topic",
        "Write letters"
      ),
    ] as [([String: String], String, String)])
  func missing(_ variables: [String: String], _ reason: String, _ remedy: String) {
    let place = place(variables)
    #expect(place.port.address == nil)
    let broker = place.port.makeReal()
    let error = driverError {
      try broker.connect(
        BrokerGreeting(client: "c", will: nil, subscriptions: []), on: WorkClock(at: .zero))
    }
    #expect(error?.kind == .misconfigured && error?.reason == reason && error?.remedy.contains(text: remedy) == true)
  }
}
