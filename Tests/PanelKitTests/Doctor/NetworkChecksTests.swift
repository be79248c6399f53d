import CycleCore
import HardwareDrivers
import HardwareLinux
import Testing

@testable import PanelKit
@testable import PanelLanguage

@Suite("The checks of a panel's broker")
struct NetworkChecksTests {
  private static let text = """
    panel: Doorbell
    inputs: { bell: { button: GPIO7 } }
    outputs: { lamp: { led: GPIO23 } }
    mqtt: { publish: all }
    initial: idle
    states: { idle: { on: { bell.pressed: rings } }, rings: { show: { lamp: on }, after: { 1s: idle } } }
    """
  private static let settings = """
    # The broker of the house
    PANEL_MQTT="mqtt://broker.lan"
    PANEL_MQTT_USER=bell
    PANEL_MQTT_PASSWORD_FILE=/etc/panel/doorbell.mqtt
    """

  /// A machine whose panel has a broker, and all is well.
  private static func machine(_ fault: (inout FaultyMachine) -> Void = { _ in }) -> FaultyMachine {
    var machine = FaultyMachine()
    machine.me = Account(name: "root", id: 0, groups: [0])
    machine.texts["/etc/panel/panel.env"] = settings
    for file in ["/etc/panel/panel.env", "/etc/panel/doorbell.mqtt"] {
      machine.files[file] = FileStatus(owner: 0, group: 990, mode: 0o640)
    }
    machine.broker = .success(
      BrokerTrial.Findings(
        retained: [
          "panel/doorbell/availability": "online",
          "panel/doorbell/info": "{\"name\": \"Doorbell\", \"host\": \"pi-3\"}",
        ], isEchoed: true))
    fault(&machine)
    return machine
  }

  private static func lines(
    of text: String = text, in file: String = "/etc/panel/doorbell.panel.yaml", on machine: FaultyMachine
  ) -> [String] {
    let content = Result { () throws(Problems) in try PanelFile.read(Array(text.utf8), file: file) }
    let system = ExaminedSystem(machine: machine, panel: ExaminedPanel(file: file, content: content))
    return DoctorCheck.networkChecks.flatMap { $0.examine(system) }.map(\.line)
  }

  @Test("find nothing where all is well, and ask nothing of a panel without a broker")
  func healthy() {
    #expect(
      Self.lines(on: Self.machine()) == ["ok    mqtt://broker.lan accepts and delivers messages on panel/doorbell/#"])
    let lonely = Self.text.split(separator: "\n").filter { !$0.hasPrefix("mqtt") }.joined(separator: "\n")
    #expect(Self.lines(of: lonely, on: FaultyMachine()) == [])
  }

  @Test("name a message that is too long, how to remove it, and message_size_limit: the case of a big message")
  func oversized() {
    let machine = Self.machine {
      $0.broker = $0.broker.map { found in
        var findings = found
        findings.isEchoed = false
        findings.oversized = [
          OversizedMessage(topic: "panel/doorbell/set/level", byteCount: 262_144_019, isRetained: true)
        ]
        return findings
      }
    }
    let lines = Self.lines(on: machine)
    #expect(lines.count == 1)
    #expect(
      lines.first?.contains(
        "mqtt://broker.lan sends a message of 262144019 bytes on panel/doorbell/set/level, which is not read")
        == true)
    #expect(lines.first?.contains("mosquitto_pub -h broker.lan -r -n -t 'panel/doorbell/set/level' removes it") == true)
    #expect(lines.first?.contains("message_size_limit 131072 in mosquitto.conf") == true)
  }

  private struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let fault: @Sendable (inout FaultyMachine) -> Void

    init(_ line: String, _ fault: @escaping @Sendable (inout FaultyMachine) -> Void) {
      (testDescription, self.fault) = (line, fault)
    }
  }

  private static func failure(_ kind: DriverError.Kind, _ reason: String, _ remedy: String) -> DriverError {
    DriverError(kind, cannot: "reach mqtt://broker.lan", reason: reason, remedy: remedy)
  }

  private static let cases = [
    Case(
      "FAIL  no broker: PANEL_MQTT is not set — "
        + "write PANEL_MQTT=mqtt://HOST into /etc/panel/panel.env and restart the panel, or leave \"mqtt\" out of its file"
    ) { $0.texts["/etc/panel/panel.env"] = "# PANEL_MQTT=mqtt://broker.lan" },
    Case(
      "FAIL  no broker: PANEL_MQTT: it begins with neither mqtt:// nor mqtts:// — "
        + "write mqtt://HOST or mqtts://HOST, and :PORT after it if it is not the default"
    ) {
      $0.texts["/etc/panel/doorbell.env"] = "PANEL_MQTT=broker.lan"
      $0.files["/etc/panel/doorbell.env"] = FileStatus(owner: 0, group: 990, mode: 0o640)
    },
    Case("warn  root may not read /etc/panel/panel.env, so the broker is not known — sudo panel doctor doorbell") {
      $0.texts["/etc/panel/panel.env"] = nil
    },
    Case(
      "FAIL  PANEL_MQTT_PASSWORD_FILE: /etc/panel/doorbell.mqtt is not there — "
        + "write the path of a file, or leave the variable out"
    ) { $0.files["/etc/panel/doorbell.mqtt"] = nil },
    Case(
      "FAIL  panel may not read /etc/panel/doorbell.mqtt — "
        + "sudo chgrp panel /etc/panel/doorbell.mqtt && sudo chmod 640 /etc/panel/doorbell.mqtt"
    ) { $0.files["/etc/panel/doorbell.mqtt"]!.mode = 0o600 },
    Case("warn  everybody may read /etc/panel/doorbell.mqtt — sudo chmod 640 /etc/panel/doorbell.mqtt") {
      $0.files["/etc/panel/doorbell.mqtt"]!.mode = 0o644
      $0.files["/etc/panel"]!.mode = 0o755
    },
    Case("FAIL  cannot reach mqtt://broker.lan: connection refused — check that the broker runs and uses this port") {
      $0.broker = .failure(failure(.absent, "connection refused", "Check that the broker runs and uses this port."))
    },
    Case("warn  the certificate of mqtt://broker.lan expires in 3 days — have it renewed, there") {
      $0.broker = $0.broker.map { findings in
        var findings = findings
        findings.certificateDays = 3
        return findings
      }
    },
    Case(
      "FAIL  mqtt://broker.lan: what user bell publishes on panel/doorbell/doctor does not come back — "
        + "allow it in the broker's access list to write and read panel/doorbell/#: pattern readwrite panel/%u/#"
    ) { $0.broker = .success(BrokerTrial.Findings()) },
    Case(
      "FAIL  another client has the id panel-doorbell-2b9c63eb — "
        + "write PANEL_ID=NAME into /etc/panel/doorbell.env; a copied card has the id of the first one"
    ) {
      $0.journal = "Doorbell: network lost: another client uses the id panel-doorbell-2b9c63eb. Give each panel\n"
    },
    Case(
      "FAIL  the panel on \"pi-4\" has the id doorbell, too — "
        + "write PANEL_ID=NAME into /etc/panel/doorbell.env; a copied card has the id of the first one"
    ) {
      $0.broker = .success(
        BrokerTrial.Findings(
          retained: ["panel/doorbell/availability": "online", "panel/doorbell/info": "{\"host\": \"pi-4\"}"],
          isEchoed: true))
    },
    Case(
      "FAIL  another client has the id doorbell: it is online, and panel@doorbell does not run — "
        + "write PANEL_ID=NAME into /etc/panel/doorbell.env; a copied card has the id of the first one"
    ) { $0.unit["ActiveState"] = "inactive" },
    Case(
      "warn  panel@doorbell is not connected to mqtt://broker.lan — "
        + "sudo systemctl restart panel@doorbell, if you changed its settings since it started; panel log doorbell shows the reason"
    ) { $0.broker = .success(BrokerTrial.Findings(isEchoed: true)) },
  ]

  @Test("tell each fault, and what to do", arguments: cases)
  private func fault(_ one: Case) {
    let lines = Self.lines(on: Self.machine(one.fault)).filter { !$0.hasPrefix("ok") }
    #expect(lines.contains(one.testDescription), "\(lines)")
  }

  @Test("name the package where the library is missing, and try no connection then")
  func library() {
    let machine = Self.machine {
      $0.missingLibraries = ["libmosquitto"]
      $0.broker = .failure(Self.failure(.absent, "it is tried all the same", ""))
    }
    #expect(Self.lines(on: machine) == [])
    let content = Result { () throws(Problems) in try PanelFile.read(Array(Self.text.utf8), file: "doorbell") }
    let system = ExaminedSystem(machine: machine, panel: ExaminedPanel(file: "doorbell.panel.yaml", content: content))
    #expect(
      DoctorCheck.libraries.examine(system).map(\.line).contains(
        "FAIL  libmosquitto.so.1 is missing, for an MQTT broker — sudo apt install libmosquitto1"))
  }

  @Test("take the settings of a panel that is no service from the environment")
  func environment() {
    var machine = FaultyMachine()
    machine.variables["PANEL_MQTT"] = "mqtts://broker.lan"
    #expect(
      Self.lines(in: "doorbell.panel.yaml", on: machine) == [
        "ok    mqtts://broker.lan accepts and delivers messages on panel/doorbell/#"
      ])
  }

  @Test("read files of variables as systemd does")
  func variables() {
    let text = """
      # A comment
      ; another
      PLAIN=a b
       SPACES = \tround
      QUOTED="one \\"two\\""
      SINGLE='as it is \\'
      LONG=one \\
      two
      EMPTY=
      no assignment
      PLAIN=the last
      """
    #expect(
      ServiceEnvironment.variables(in: text) == [
        "PLAIN": "the last", "SPACES": "round", "QUOTED": "one \"two\"", "SINGLE": "as it is \\", "LONG": "one two",
        "EMPTY": "",
      ])
  }
}
