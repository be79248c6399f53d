import PanelLanguage
import PanelProof
import PanelRun
import Terminal

/// The subject of the checks: a machine, and optionally a panel that should run on it.
struct ExaminedSystem {
  let machine: any Machine
  let panel: ExaminedPanel?
  /// The systemd properties of the panel's service; nil without a service or without systemd.
  let unit: [String: String]?

  init(machine: any Machine, panel: ExaminedPanel?) {
    self.machine = machine
    self.panel = panel
    unit = panel?.service.flatMap { machine.properties(ofUnit: "panel@\($0)", Self.unitProperties) }
  }

  private static let unitProperties = [
    "LoadState", "ActiveState", "StatusText", "NRestarts", "Result", "ExecMainStatus", "LimitRTPRIO",
    "DevicePolicy", "DeviceAllow", "SupplementaryGroups", "ReadWritePaths", "ProtectKernelTunables",
    "ProtectClock",
  ]
  var isServiceActive: Bool { unit?["ActiveState"] == "active" }

  /// The account that runs the checks.
  var me: Account { machine.me }
  /// The service's account; nil if the package is not installed.
  var servant: Account? {
    guard var servant = Account(named: Self.serviceUser, in: machine) else { return nil }
    // The unit can give the service further groups.
    for name in (unit?["SupplementaryGroups"] ?? "").split(separator: " ") {
      if let group = Account.group(named: String(name), in: machine) { servant.groups.insert(group) }
    }
    return servant
  }

  static let serviceUser = "panel"
  /// The board's model name from the device tree; nil on a board without one.
  var board: String? {
    machine.text(of: "/proc/device-tree/model").map { String($0.prefix { $0 != "\0" }) }.flatMap {
      $0.isEmpty ? nil : $0
    }
  }
  /// Whether the kernel has set the clock from a battery clock at boot.
  var hasBatteryClock: Bool {
    (machine.entries(of: "/sys/class/rtc") ?? []).contains { name in
      machine.text(of: "/sys/class/rtc/\(name)/hctosys")?.hasPrefix("1") == true
    }
  }
  var isRaspberryPi: Bool { board?.hasPrefix("Raspberry Pi") == true }
}
