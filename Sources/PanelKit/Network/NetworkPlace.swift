import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import Terminal

/// Who a panel is at its broker, and where that is: what a panel file doesn't say, so that one file serves many panels.
struct NetworkPlace: Sendable {
  /// The panel's own part of all topics: `doorbell`.
  var id: String
  var port: BrokerPort
  /// What the broker knows the client by; no two clients have the same.
  var client: String
  /// The machine's name.
  var host: String
  /// Which panel file it is, in 8 hexadecimal digits.
  var file: String
  /// Why the id is not that of the environment; nil if it is, or if the environment has none.
  var idFault: String?

  /// The place of a panel that no broker but a simulated one knows.
  ///
  /// - Parameter panel: whose name it has.
  init(simulated panel: PanelDefinition) {
    id = Self.id(of: panel.name)
    port = BrokerPort(
      withoutAddress: "the panel is not run as one that has a broker", remedy: "Use --network simulated.")
    (client, host, file) = ("panel-\(id)", "simulated", "00000000")
  }

  /// The place of a panel that runs on this machine.
  ///
  /// - Parameters:
  ///   - path: of the panel file.
  ///   - text: the file's content.
  ///   - machine: tells who the machine is: its name, and what no other one has.
  ///   - acceptsAnyCertificate: whether the broker's certificate may be for another name.
  ///   - variable: the value of a variable of the environment; nil for one that isn't set, or is empty.
  init(
    ofFile path: String, _ text: [UInt8], on machine: (name: String, identity: String),
    acceptsAnyCertificate: Bool = false, variable: (String) -> String?
  ) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let suffix = ExaminedPanel.suffix
    let own = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    let id = variable("PANEL_ID") ?? Self.id(of: own)
    self.id = RunningPanels.isName(id) ? id : Self.id(of: id)
    host = machine.name
    client = "panel-\(self.id)-\(Self.digest(Array(machine.identity.utf8)))"
    file = Self.digest(text)
    guard RunningPanels.isName(id) else {
      let fault = "PANEL_ID is \(quoted(id)), which is no name for a topic"
      idFault = fault
      port = BrokerPort(
        withoutAddress: fault,
        remedy: "Write letters, digits, \".\", \"_\" and \"-\", 64 at most.")
      return
    }
    guard let address = variable("PANEL_MQTT") else {
      port = BrokerPort(
        withoutAddress: "PANEL_MQTT is not set",
        remedy:
          "Write PANEL_MQTT=mqtt://HOST into /etc/panel/panel.env and restart the panel, or leave \"mqtt\" out of its file."
      )
      return
    }
    do throws(DriverError) {
      var address = try BrokerAddress(address)
      address.user = variable("PANEL_MQTT_USER")
      address.passwordFile = variable("PANEL_MQTT_PASSWORD_FILE")
      address.authorities = variable("PANEL_MQTT_CA")
      address.certificate = variable("PANEL_MQTT_CERT")
      address.key = variable("PANEL_MQTT_KEY")
      address.acceptsAnyCertificate = acceptsAnyCertificate
      port = BrokerPort(address)
    } catch {
      port = BrokerPort(withoutAddress: "PANEL_MQTT: \(error.reason)", remedy: error.remedy)
    }
  }

  /// The panel has been reloaded with this file.
  mutating func note(_ text: [UInt8]) { file = Self.digest(text) }

  /// This machine's name, and what no other one has. Calls `gethostname`, and reads `/etc/machine-id`.
  static var thisMachine: (name: String, identity: String) {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let host = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let identity = (try? SmallFile.bytes(of: "/etc/machine-id", atMost: 64)) ?? []
    return (String(decoding: host, as: UTF8.self), String(decoding: identity.isEmpty ? host : identity, as: UTF8.self))
  }

  /// A variable of this process's environment; nil for one that isn't set, or is empty.
  static func variable(_ name: String) -> String? {
    ServiceManager.variable(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// What a name is in topics: letters, digits, `-`, `_` and `.`, with `-` for all others.
  private static func id(of name: String) -> String {
    let bytes = name.utf8.prefix(64).map { byte in
      switch byte {
      case 0x41...0x5A: byte + 0x20
      case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "."): byte
      default: UInt8(ascii: "-")
      }
    }
    let id = String(decoding: bytes.drop { $0 == UInt8(ascii: ".") }, as: UTF8.self)
    return id.isEmpty ? "panel" : id
  }

  private static func digest(_ bytes: [UInt8]) -> String {
    let digits = String(KeptText.checksum(of: bytes), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
