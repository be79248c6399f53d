import CycleCore
import PanelLanguage
import Terminal

extension DoctorCheck {
  /// Checks of the panel's file and its lines.
  static let panelChecks = [file, lines]

  static let file = DoctorCheck(5) { system in
    guard let panel = system.panel else { return [] }
    switch panel.content {
    case .success(let definition): return [.ok("\(panel.file): \(definition.name)")]
    case .failure(let problems):
      let first = problems.lines.first ?? ""
      let rest = problems.lines.count > 1 ? ", and \(counted(problems.lines.count - 1, "line")) more" : ""
      let remedy =
        problems.kind == .notPermitted && panel.service != nil
        ? "sudo panel doctor \(panel.service ?? panel.file), or sudo adduser \(system.me.name) panel, and log in again"
        : "panel check \(panel.file) lists all problems"
      return [.failure("\(first)\(rest)", remedy, status: problems.exitStatus)]
    }
  }

  /// Checks that each line exists and is free.
  static let lines = DoctorCheck(6) { system in
    guard let panel = system.panel, let definition = panel.definition else { return [] }
    let names = definition.lines(on: nil)
    guard !names.isEmpty else { return [] }
    do throws(DriverError) {
      let lines = try system.machine.holders(of: names, of: definition)
      let held = lines.filter { $0.holder != nil }
      // The service itself holds all lines.
      if held.count == lines.count, held.allSatisfy({ $0.holder == "panel" }), system.isServiceActive {
        return [.ok("\(counted(lines.count, "line")), held by panel@\(panel.service ?? "")")]
      }
      if held.isEmpty { return [.ok("\(counted(lines.count, "line")), all free")] }
      return held.map { line in
        .failure(
          "\(line.line) is held by \(line.holder!.isEmpty ? "the kernel or another program" : quoted(line.holder!))",
          LineHolders.remedy(for: line.holder!), status: ExitStatus.unavailable)
      }
    } catch {
      // Checks 3 and 4 report these errors.
      if error.kind == .notPermitted || error.kind == .absent && (try? system.machine.chips()) == nil { return [] }
      return [
        .failure(
          error.subject.map { "\($0): \(error.reason)" } ?? "cannot \(error.operation): \(error.reason)", error.remedy,
          status: error.exitStatus)
      ]
    }
  }
}

/// The holders of lines on a Raspberry Pi, and how to release the lines.
enum LineHolders {
  /// The prefixes of the kernel's holder names, and the setting to remove.
  private static let known: [(prefix: String, remedy: String)] = [
    ("spi", "remove dtparam=spi=on from /boot/firmware/config.txt, then sudo reboot"),
    ("onewire", "remove dtoverlay=w1-gpio from /boot/firmware/config.txt, then sudo reboot"),
    ("w1", "remove dtoverlay=w1-gpio from /boot/firmware/config.txt, then sudo reboot"),
    ("ir-receiver", "remove dtoverlay=gpio-ir from /boot/firmware/config.txt, then sudo reboot"),
    ("shutdown_button", "remove dtoverlay=gpio-shutdown from /boot/firmware/config.txt, then sudo reboot"),
    ("power_ctrl", "remove dtoverlay=gpio-poweroff from /boot/firmware/config.txt, then sudo reboot"),
    ("fan", "remove dtoverlay=gpio-fan from /boot/firmware/config.txt, then sudo reboot"),
    ("i2c-gpio", "remove dtoverlay=i2c-gpio from /boot/firmware/config.txt, then sudo reboot"),
    ("sda", "remove dtoverlay=i2c-gpio from /boot/firmware/config.txt, then sudo reboot"),
    ("scl", "remove dtoverlay=i2c-gpio from /boot/firmware/config.txt, then sudo reboot"),
    (
      "sysfs",
      "a program has exported it in /sys/class/gpio: stop that program, and write the line's number to unexport"
    ),
    ("panel", "another panel has it: panel status lists all; sudo systemctl stop panel@NAME, or choose another line"),
  ]

  static func remedy(for holder: String) -> String {
    known.first { holder.hasPrefix($0.prefix) }?.remedy
      ?? "stop the program or remove the overlay that holds it, or choose another line; gpioinfo lists all"
  }
}
