import CycleCore
import HardwareDrivers
import HardwareLinux
import PanelLanguage
import PanelNetwork
import Terminal

extension DoctorCheck {
  static let networkChecks = [broker, secrets]

  /// Checks the panel's connection to its broker. It uses a client of its own, so a running panel keeps its connection.
  static let broker = DoctorCheck(20) { system in
    guard let panel = system.panel, panel.definition?.mqtt != nil else { return [] }
    let environment = ServiceEnvironment(of: panel, on: system.machine)
    if let file = environment.unreadable.first {
      let name = panel.service ?? panel.file
      return [
        .warning("\(system.me.name) may not read \(file), so the broker is not known", "sudo panel doctor \(name)")
      ]
    }
    let place = MQTTEnvironment(
      ofFile: panel.file, [], on: system.machine.identity, variable: { environment.variable($0) })
    if let fault = place.port.fault { return [.failure("no broker: \(fault.reason)", sentencePart(fault.remedy))] }
    guard let address = place.port.address else { return [] }
    let hidden = hiddenFiles(of: address, from: system)
    guard hidden.isEmpty else { return hidden }
    // Check 8 reports a missing library.
    guard LibraryPackage.mosquitto.names.contains(where: system.machine.hasLibrary) else { return [] }
    return BrokerCheck(system, panel, place, address).findings
  }

  /// Converts the remedy of an error, which is a sentence, to a part of a line.
  fileprivate static func sentencePart(_ sentence: String) -> String {
    var text = sentence
    if text.hasSuffix(".") { text.removeLast() }
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// Finds files that the service must read and can't.
  private static func hiddenFiles(of address: BrokerConnectionSettings, from system: ExaminedSystem) -> [CheckResult] {
    let files = [
      ("PANEL_MQTT_PASSWORD_FILE", address.passwordFile), ("PANEL_MQTT_CA", address.authorities),
      ("PANEL_MQTT_CERT", address.certificate), ("PANEL_MQTT_KEY", address.key),
    ]
    // A panel that is not a service runs as the user that starts it.
    let user = system.panel?.service == nil ? system.me : system.servant ?? system.me
    var found: [CheckResult] = []
    for (variable, path) in files {
      guard let path else { continue }
      guard let status = system.machine.status(of: path) else {
        found.append(
          .failure("\(variable): \(path) is not there", "write the path of a file, or leave the variable out"))
        continue
      }
      if !user.mayUse(status, forWriting: false) {
        found.append(
          .failure("\(user.name) may not read \(path)", "sudo chgrp panel \(path) && sudo chmod 640 \(path)"))
      }
    }
    return found
  }

  /// Checks the permissions of files with passwords: the environment files next to the panel's file, and the files that
  /// they name.
  static let secrets = DoctorCheck(21) { system in
    let machine = system.machine
    let names = (machine.entries(of: PanelInstallation.folder) ?? []).filter {
      $0.hasSuffix(".mqtt") || $0.hasSuffix(".env")
    }
    var paths = Set(names.map { "\(PanelInstallation.folder)/\($0)" })
    if let panel = system.panel {
      let environment = ServiceEnvironment(of: panel, on: machine)
      for variable in ["PANEL_MQTT_PASSWORD_FILE", "PANEL_MQTT_KEY"] {
        if let path = environment.variable(variable) { paths.insert(path) }
      }
    }
    // Files in a folder that others can't enter are protected, whatever their own permissions are.
    let isClosed = machine.status(of: PanelInstallation.folder).map { $0.mode & 0o001 == 0 } ?? false
    return paths.sorted().compactMap { path in
      if isClosed, path.hasPrefix("\(PanelInstallation.folder)/") { return nil }
      guard let status = machine.status(of: path), status.mode & 0o004 != 0 else { return nil }
      return .warning("everybody may read \(path)", "sudo chmod 640 \(path)")
    }
  }
}

/// The results of a connection to a panel's broker.
private struct BrokerCheck {
  /// The number of remaining days below which a certificate must be renewed soon.
  private static let fewDays = 14

  private let system: ExaminedSystem
  private let panel: ExaminedPanel
  private let place: MQTTEnvironment
  private let address: BrokerConnectionSettings

  init(_ system: ExaminedSystem, _ panel: ExaminedPanel, _ place: MQTTEnvironment, _ address: BrokerConnectionSettings)
  {
    (self.system, self.panel, self.place, self.address) = (system, panel, place, address)
  }

  private var topic: String { "panel/\(place.id)" }

  var findings: [CheckResult] {
    let trial = BrokerTrial(
      of: address, as: "\(place.client)-doctor",
      reading: ["\(topic)/availability", "\(topic)/info"] + PanelTopics.commands(of: place.id),
      echo: "\(topic)/doctor")
    do throws(DriverError) {
      let findings = try system.machine.tryBroker(trial)
      let found = certificate(findings) + access(findings) + oversized(findings) + owner(findings)
      return found.isEmpty ? [.ok("\(address.text) accepts and delivers messages on \(topic)/#")] : found
    } catch {
      return [.failure("cannot \(error.operation): \(error.reason)", DoctorCheck.sentencePart(error.remedy))]
    }
  }

  private func certificate(_ findings: BrokerTrial.Findings) -> [CheckResult] {
    guard let days = findings.certificateDays, days < Self.fewDays else { return [] }
    return [
      .warning("the certificate of \(address.text) expires in \(counted(days, "day"))", "have it renewed, there")
    ]
  }

  private func access(_ findings: BrokerTrial.Findings) -> [CheckResult] {
    // After a message of many megabytes, the echo is late.
    guard !findings.isEchoed, findings.oversized.isEmpty else { return [] }
    let user = address.user.map { "user \($0)" } ?? "a client without a user"
    return [
      .failure(
        "\(address.text): what \(user) publishes on \(topic)/doctor does not come back",
        "allow it in the broker's access list to write and read \(topic)/#: pattern readwrite panel/%u/#")
    ]
  }

  private func oversized(_ findings: BrokerTrial.Findings) -> [CheckResult] {
    findings.oversized.map { message in
      .warning(
        "\(address.text) sends a message of \(message.byteCount) bytes on \(message.topic), which is not read",
        (message.isRetained ? "mosquitto_pub -h \(address.host) -r -n -t '\(message.topic)' removes it; " : "")
          + "message_size_limit \(ReceivedMessage.longestPacket) in mosquitto.conf refuses such messages")
    }
  }

  // MARK: - Owner of the panel's identifier

  private func owner(_ findings: BrokerTrial.Findings) -> [CheckResult] {
    let remedy = "write PANEL_ID=NAME into \(ownFile); a copied card has the id of the first one"
    if system.isServiceActive, isTakenOver {
      return [.failure("another client has the id \(place.client)", remedy)]
    }
    let isOnline = findings.retained["\(topic)/availability"] == "online"
    let host = findings.retained["\(topic)/info"].flatMap { Self.member("host", of: $0) }
    if isOnline, let host, host != place.host {
      return [.failure("the panel on \(quoted(host)) has the id \(place.id), too", remedy)]
    }
    guard let service = panel.service, system.unit != nil else { return [] }
    if isOnline, !system.isServiceActive {
      return [
        .failure("another client has the id \(place.id): it is online, and panel@\(service) does not run", remedy)
      ]
    }
    if !isOnline, system.isServiceActive {
      return [
        .warning(
          "panel@\(service) is not connected to \(address.text)",
          "sudo systemctl restart panel@\(service), if you changed its settings since it started; panel log \(service) shows the reason"
        )
      ]
    }
    return []
  }

  private var ownFile: String { panel.service.map { "\(PanelInstallation.folder)/\($0).env" } ?? "its environment" }

  /// Whether the panel has logged this in the last 10 minutes.
  private var isTakenOver: Bool {
    let words = [
      "journalctl", "--unit", "panel@\(panel.service ?? "")", "--since", "-10min", "--output", "cat", "--quiet",
    ]
    return system.machine.printed(by: words)?.contains(text: "another client uses the id \(place.client)") == true
  }

  /// Returns the text of a member in an object that a panel has written: `"host": "pi-4"`.
  private static func member(_ name: String, of object: String) -> String? {
    let mark = "\"\(name)\": \""
    guard let place = object.firstPlace(of: mark) else { return nil }
    return String(object[place.upperBound...].prefix { $0 != "\"" })
  }
}
