import CycleCore
import HardwareDrivers
import HardwareLinux

@testable import PanelKit
@testable import PanelLanguage

/// A Raspberry Pi on which all is well, until a test makes a fault.
struct FaultyMachine: Machine {
  var wordSize = 64
  var architecture = "aarch64"
  var kernel = "6.12.34+rpt-rpi-v8"
  var me = Account(name: "pi", id: 1000, groups: [1000, 997])
  var texts = [
    "/etc/os-release": "PRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\nVERSION_ID=\"13\"",
    "/proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.5\0",
    "/etc/passwd": "root:x:0:0:root:/root:/bin/bash\npanel:x:990:990::/var/lib/panel:/usr/sbin/nologin",
    "/etc/group": "root:x:0:\ngpio:x:997:pi,panel\npanel:x:990:",
    "/proc/1/comm": "systemd",
  ]
  var folders = [
    "/dev": ["null", "gpiochip0"], "/proc": ["1", "self"], "/sys/class/watchdog": ["watchdog0"],
    "/run/systemd": ["system"],
    "/run/systemd/timesync": ["synchronized"], "/var/log/journal": [], "/etc/panel": ["doorbell.panel.yaml"],
  ]
  var files = [
    "/dev/gpiochip0": FileStatus(owner: 0, group: 997, mode: 0o660),
    "/run/systemd/timesync/synchronized": FileStatus(owner: 0, group: 0, mode: 0o644),
    "/etc/panel": FileStatus(owner: 0, group: 990, mode: 0o750),
    "/etc/panel/ding.wav": FileStatus(owner: 0, group: 990, mode: 0o640),
  ]
  /// The bytes of files that are looked at as they are.
  var contents: [String: [UInt8]] = [:]
  var free = 0.5
  var unit = [
    "LoadState": "loaded", "ActiveState": "active", "NRestarts": "0", "Result": "success", "ExecMainStatus": "0",
    "LimitRTPRIO": "50", "DevicePolicy": "closed",
    "DeviceAllow": "char-gpiochip rw\nDeviceAllow=char-alsa rw\nDeviceAllow=char-i2c rw",
    "ProtectKernelTunables": "yes", "ProtectClock": "yes", "ReadWritePaths": "-/sys/devices",
  ]
  var watchdog = "14s"
  var missingLibraries: Set<String> = []
  var chipFault: DriverError?
  var lineFault: DriverError?
  var lineHolders: [String: String] = [:]
  var soundFault: DriverError?
  /// The lines that have a PWM channel.
  var pwmLines: Set<String> = ["GPIO18"]
  var numberFault: DriverError?
  var variables: [String: String] = [:]
  /// What the panel's service has said lately.
  var journal = ""
  var broker: Result<BrokerTrial.Findings, DriverError> = .success(BrokerTrial.Findings(isEchoed: true))

  func text(of path: String) -> String? { texts[path] }
  func bytes(of path: String) -> [UInt8]? { contents[path] }
  func entries(of folder: String) -> [String]? { folders[folder] }
  func status(of path: String) -> FileStatus? { files[path] }
  func freeShare(at path: String) -> Double? { free }

  func printed(by words: [String]) -> String? {
    if words.first == "journalctl" { return journal }
    guard words.prefix(2) == ["systemctl", "show"] else { return nil }
    guard words.contains("panel@doorbell") else { return "RuntimeWatchdogUSec=\(watchdog)\n" }
    return unit.map { "\($0)=\($1)\n" }.joined()
  }

  func hasLibrary(_ name: String) -> Bool { !missingLibraries.contains { name.hasPrefix($0) } }

  func chips() throws(DriverError) -> [String] {
    if let chipFault { throw chipFault }
    return ["gpiochip0 (pinctrl-bcm2711), 58 lines"]
  }

  func holders(of lines: [String], of panel: PanelDefinition) throws(DriverError) -> [LineHolder] {
    if let chipFault { throw chipFault }
    if let lineFault { throw lineFault }
    return lines.map { LineHolder(line: $0, holder: lineHolders[$0]) }
  }

  func inspect(_ port: any Port) throws(DriverError) {
    switch port {
    case let port as PWMPort where !pwmLines.contains(port.subject): throw PWMErrorFactory(port).absent()
    case is NumberSourcePort: if let numberFault { throw numberFault }
    default: break
    }
  }

  func trySound(_ device: String) throws(DriverError) {
    if let soundFault { throw soundFault }
  }

  var identity: (name: String, identity: String) { ("pi-3", "4f2c") }
  func variable(_ name: String) -> String? { variables[name] }
  func tryBroker(_ trial: BrokerTrial) throws(DriverError) -> BrokerTrial.Findings { try broker.get() }
}
