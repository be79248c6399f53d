import CycleCore
import HardwareDrivers
import PanelLanguage
import Terminal

extension Machine {
  /// Returns the properties of a unit, or of systemd itself; nil if systemd does not run.
  func properties(ofUnit unit: String? = nil, _ names: [String]) -> [String: String]? {
    let words = ["systemctl", "show"] + (unit.map { [$0] } ?? []) + ["--property", names.joined(separator: ",")]
    guard let text = printed(by: words) else { return nil }
    var values: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // A list has a line for each element.
      guard parts.count == 2 else { continue }
      values[String(parts[0]), default: ""] += values[String(parts[0])] == nil ? parts[1] : " \(parts[1])"
    }
    return values
  }
}

extension DoctorCheck {
  /// Checks of the panel's service and of systemd.
  static let serviceChecks = [service, serviceDevices, watchdog, journal, clock]

  static let service = DoctorCheck(12) { system in
    guard let panel = system.panel else { return [] }
    guard let service = panel.service else {
      return [.ok("no service: its file is not in \(PanelInstallation.folder)")]
    }
    guard let unit = system.unit else { return [.ok("no service: systemd does not run here")] }
    let name = "panel@\(service)"
    if unit["LoadState"] == "not-found" {
      return [.warning("there is no unit \(name)", "install the package panel")]
    }
    let restarts = unit["NRestarts"].flatMap { Int($0) } ?? 0
    let status = unit["StatusText"] ?? ""
    switch unit["ActiveState"] {
    case "active" where status.hasPrefix(SafeModeService.name):
      return [
        .failure(
          "\(name) is in \(SafeModeService.name): it has crashed again and again, its outputs are at rest",
          "panel log \(service) shows the reason; then run panel reload \(service)")
      ]
    case "active" where restarts == 0: return [.ok("\(name) is active")]
    case "active":
      return [
        .warning("\(name) is active, after \(counted(restarts, "restart"))", "panel log \(service) shows the reason")
      ]
    case "failed":
      return [
        .failure(
          "\(name) has failed: \(unit["Result"] ?? "?"), status \(unit["ExecMainStatus"] ?? "?")",
          unit["ExecMainStatus"] == "65"
            ? "its file is wrong: see check 5; then sudo systemctl restart \(name)"
            : "panel log \(service) shows the reason; then run sudo systemctl restart \(name)")
      ]
    default: return [.warning("\(name) does not run", "sudo systemctl enable --now \(name)")]
    }
  }

  /// Checks whether the unit allows the service to use the devices of the panel's ports.
  static let serviceDevices = DoctorCheck(23) { system in
    guard let panel = system.panel, let service = panel.service, let unit = system.unit, unit["LoadState"] == "loaded"
    else { return [] }
    // NAME RIGHTS NAME RIGHTS ...; with a list, the policy `auto` is closed, too.
    let allowed = (unit["DeviceAllow"] ?? "").split(separator: " ")
    guard unit["DevicePolicy"] != "auto" || !allowed.isEmpty else { return [] }
    return (panel.definition?.ports ?? []).compactMap { port -> CheckResult? in
      guard let nodes = port.deviceNodes else { return nil }
      guard let driver = nodes.driver else { return Self.writing(to: nodes, of: port, by: service, unit) }
      let isAllowed = allowed.indices.dropLast().contains { place in
        let name = allowed[place]
        let isMeant = name == driver || name == "char-*" || nodes.contains(name)
        return isMeant && allowed[place + 1].contains("r") && allowed[place + 1].contains("w")
      }
      guard !isAllowed else { return nil }
      return .failure(
        "panel@\(service) may not use \(port.name): its unit does not allow \(driver)",
        "run sudo systemctl edit panel@\(service), write the three lines [Service], DeviceAllow=\(driver) rw and "
          + "SupplementaryGroups=\(nodes.group), then run sudo systemctl restart panel@\(service)",
        status: ExitStatus.notPermitted)
    }
  }

  /// Checks whether the unit lets the service write to the kernel's devices in `/sys`.
  private static func writing(
    to nodes: DeviceNodes, of port: any Port.Type, by service: String, _ unit: [String: String]
  ) -> CheckResult? {
    let paths = (unit["ReadWritePaths"] ?? "").split(separator: " ").map { $0.drop { "-+".contains($0) } }
    guard unit["ProtectKernelTunables"] == "yes", !paths.contains(where: { ["/sys", "/sys/devices"].contains($0) })
    else { return nil }
    return .failure(
      "panel@\(service) may not use \(port.name): /sys is read-only in its unit",
      "run sudo systemctl edit panel@\(service), write the three lines [Service], ReadWritePaths=-/sys/devices and "
        + "SupplementaryGroups=\(nodes.group), then run sudo systemctl restart panel@\(service)",
      status: ExitStatus.notPermitted)
  }

  /// Checks the machine's watchdog, which restarts a machine that hangs. On a Raspberry Pi its timeout is at most 15 s.
  static let watchdog = DoctorCheck(14) { system in
    guard let text = system.machine.properties(["RuntimeWatchdogUSec"])?["RuntimeWatchdogUSec"] else { return [] }
    guard system.machine.entries(of: "/sys/class/watchdog")?.isEmpty == false else {
      return [.ok("the machine has no watchdog")]
    }
    let remedy = "write RuntimeWatchdogSec=14 into /etc/systemd/system.conf, then sudo reboot"
    switch TimeSpan.seconds(text) {
    case nil, 0: return [.warning("nothing restarts the machine when it hangs: its watchdog is off", remedy)]
    case let seconds? where system.isRaspberryPi && seconds > 15:
      return [.warning("a watchdog of \(text) is not taken on a Raspberry Pi, 15 s are the most", remedy)]
    case .some: return [.ok("the watchdog restarts a machine that hangs for \(text)")]
    }
  }

  static let journal = DoctorCheck(18) { system in
    // Without systemd this check does not apply.
    guard system.machine.entries(of: "/run/systemd") != nil else { return [] }
    guard system.machine.entries(of: "/var/log/journal") == nil else {
      return [.ok("the journal is kept over a reboot")]
    }
    return [.warning("the journal is lost at a reboot", "sudo mkdir /var/log/journal")]
  }

  /// Checks whether the time of the machine is right, and whether the panel can know that.
  static let clock = DoctorCheck(19) { system in
    let clock = system.panel?.definition?.clock
    let isNeeded = clock?.trust == .synchronised && !system.hasBatteryClock
    guard system.machine.entries(of: "/run/systemd/timesync") != nil else {
      guard isNeeded, let service = system.panel?.service, system.unit?["ProtectClock"] == "yes" else { return [] }
      return [
        .warning(
          "panel@\(service) can't see whether the clock is set: systemd-timesyncd does not run, and its unit does not allow "
            + "adjtimex",
          "sudo apt install systemd-timesyncd; with another time server run sudo systemctl edit panel@\(service), write the "
            + "three lines [Service], ProtectClock=no and SystemCallFilter=adjtimex clock_adjtime, then run sudo systemctl "
            + "restart panel@\(service)")
      ]
    }
    guard system.machine.status(of: "/run/systemd/timesync/synchronized") == nil else {
      return [.ok("the clock is set")]
    }
    let effect = isNeeded ? "the times of day of the panel do not fire" : "the panel does not need it"
    return [
      .warning(
        "the clock is not set: times in the journal are wrong, \(effect)",
        "connect the network; timedatectl shows the servers")
    ]
  }
}

/// Durations as systemd prints them: `1min 30s`, `0`, `infinity`.
enum TimeSpan {
  private static let units: [(name: String, seconds: Double)] = [
    ("min", 60), ("ms", 0.001), ("us", 0.000_001), ("month", 2_629_800), ("h", 3_600), ("d", 86_400), ("w", 604_800),
    ("y", 31_557_600), ("s", 1),
  ]

  /// Reads a duration in seconds; returns nil for `infinity` and for other text.
  static func seconds(_ text: String) -> Double? {
    if text == "0" { return 0 }
    var sum = 0.0
    for word in text.split(separator: " ") {
      let digits = word.prefix { $0.isNumber || $0 == "." }
      guard let number = Double(digits), let unit = units.first(where: { $0.name == word.dropFirst(digits.count) })
      else { return nil }
      sum += number * unit.seconds
    }
    return text.isEmpty ? nil : sum
  }
}
