import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import PanelLanguage
import Terminal

/// The broker of a panel, and the panel's identity there. They are not in the panel file, so one file serves many
/// panels.
package struct MQTTEnvironment: Sendable {
  /// The panel's own part of all topics: `doorbell`.
  package var id: String
  package var port: BrokerPort
  /// The client id at the broker. It is unique.
  package var client: String
  /// The machine's name.
  package var host: String
  /// The digest of the panel file, in 8 hexadecimal digits.
  var file: String
  /// The reason why the id of the environment is not used; nil if it is, or if the environment has none.
  package var idFault: String?

  /// The place of a panel on a simulated broker.
  ///
  /// - Parameter panel: gives the name.
  package init(simulated panel: PanelDefinition) {
    id = Self.id(of: panel.name)
    port = BrokerPort(
      withoutAddress: "the panel is not run as one that has a broker", remedy: "Use --network simulated.")
    (client, host, file) = ("panel-\(id)", "simulated", "00000000")
  }

  /// The place of a panel that runs on this machine.
  ///
  /// - Parameters:
  ///   - path: the path of the panel file.
  ///   - text: the file's contents.
  ///   - machine: the name of the machine, and its unique identity.
  ///   - acceptsAnyCertificate: whether the broker's certificate may be for another name.
  ///   - variable: returns the value of an environment variable; nil for one that is not set, or is empty.
  package init(
    ofFile path: String, _ text: [UInt8], on machine: (name: String, identity: String),
    acceptsAnyCertificate: Bool = false, variable: (String) -> String?
  ) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let suffix = PanelInstallation.suffix
    let own = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    let id = variable("PANEL_ID") ?? Self.id(of: own)
    self.id = PanelInstallation.isName(id) ? id : Self.id(of: id)
    host = machine.name
    client = "panel-\(self.id)-\(Self.digest(Array(machine.identity.utf8)))"
    file = Self.digest(text)
    guard PanelInstallation.isName(id) else {
      let fault = "PANEL_ID is \(quoted(id)), which can't be part of a topic"
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
      var address = try BrokerConnectionSettings(address)
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

  /// Updates the digest after a reload with this file.
  package mutating func note(_ text: [UInt8]) { file = Self.digest(text) }

  /// The name of this machine, and its unique identity. Calls `gethostname`, and reads `/etc/machine-id`.
  package static var thisMachine: (name: String, identity: String) {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let host = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let identity = (try? SmallFile.bytes(of: "/etc/machine-id", atMost: 64)) ?? []
    return (String(decoding: host, as: UTF8.self), String(decoding: identity.isEmpty ? host : identity, as: UTF8.self))
  }

  /// A variable of this process's environment; nil for one that is not set, or is empty.
  package static func variable(_ name: String) -> String? {
    ServiceManager.variable(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A name in the form for topics: letters, digits, `-`, `_` and `.`; all other characters become `-`.
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
