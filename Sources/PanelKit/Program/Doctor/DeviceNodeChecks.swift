import CycleCore
import HardwareDrivers
import Terminal

extension DoctorCheck {
  /// Checks of the GPIO chips and their permissions.
  static let chipChecks = [chips, rights, hardware, otherPrograms]

  static let chips = DoctorCheck(3) { system in
    do throws(DriverError) {
      return [.ok(try system.machine.chips().joined(separator: "; "))]
    } catch {
      // Check 4 reports missing permissions.
      if error.kind == .notPermitted { return [] }
      let remedy =
        system.isRaspberryPi
        ? "is this a container? It has to be given /dev/gpiochip0"
        : "check that this board has GPIO lines, and that the kernel has the driver of its chip"
      return [.failure("no GPIO chip in /dev", remedy, status: ExitStatus.unavailable)]
    }
  }

  /// Checks whether this user and the service's user may use the chips, and a device of each other port of the panel. A
  /// panel uses one of several buses, so one that may be used is enough. The check of sound opens the sound card.
  static let rights = DoctorCheck(4) { system in
    let ports = system.panel?.definition?.ports ?? [GPIOChipPort.self]
    var usable: [String] = []
    var found: [CheckResult] = []
    for port in ports where port.name != SoundCardPort.name {
      guard let nodes = port.deviceNodes else { continue }
      let names = system.names(of: nodes)
      let missing = names.map { system.missingRights(to: $0, nodes) }
      if names.isEmpty, port != GPIOChipPort.self {
        // Check 24 reports a channel that is missing in /sys.
        guard nodes.driver != nil else { continue }
        found.append(
          .warning("there is no \(nodes.pattern)", "enable the hardware, for example with its overlay in config.txt"))
      } else if port == GPIOChipPort.self || missing.allSatisfy({ !$0.isEmpty }) {
        found += missing.joined()
      }
      usable += zip(names, missing).filter { $1.isEmpty }.map { system.name(of: $0.0) }
    }
    guard found.isEmpty, !usable.isEmpty else { return found }
    let accounts = [system.me, system.servant].compactMap { $0?.name }
    return [.ok("\(accounts.joined(separator: " and ")) may use \(usable.joined(separator: ", "))")]
  }

  /// Looks for the hardware that devices use beside their lines: the PWM channel of a lamp, the kernel's device of a
  /// sensor.
  static let hardware = DoctorCheck(24) { system in
    guard let panel = system.panel?.definition else { return [] }
    let devices =
      panel.inputs.map { ($0.name, $0.device.hardware) } + panel.outputs.map { ($0.name, $0.device.hardware) }
      + panel.switchedPWMChips
    // One overlay can be for two of the lines.
    let lines = devices.flatMap { $0.1 }.compactMap { need -> LineName? in
      if let port = need.port as? PWMPort, case .line(let line) = port.choice { line } else { nil }
    }
    let found = devices.flatMap { name, hardware in
      hardware.compactMap { need -> CheckResult? in
        do throws(DriverError) {
          try system.machine.inspect(need.port)
          return nil
        } catch {
          let what = "\(name): \(error.reason)"
          var remedy = error.remedy
          if let port = need.port as? PWMPort, error.kind == .absent {
            remedy = PWMErrorFactory(port, among: lines).absent().remedy
          }
          return need.isRequired ? .failure(what, remedy) : .warning(what, remedy)
        }
      }
    }
    let names = devices.filter { !$0.1.isEmpty }.map(\.0)
    return found.isEmpty && !names.isEmpty ? [.ok("the hardware of \(names.joined(separator: ", ")) is there")] : found
  }

  /// Finds programs that drive lines without the kernel: they change lines that others have requested.
  static let otherPrograms = DoctorCheck(13) { system in
    let machine = system.machine
    let processes = (machine.entries(of: "/proc") ?? []).filter { $0.allSatisfy(\.isNumber) }
    let names = Set(processes.compactMap { machine.text(of: "/proc/\($0)/comm") })
    guard names.contains("pigpiod") else { return [.ok("no other program drives lines past the kernel")] }
    return [.warning("pigpiod runs, and drives lines past the kernel", "sudo systemctl disable --now pigpiod")]
  }
}

extension PanelDefinition {
  /// The PWM chips of which no device uses a channel as such, because their outputs are only switched.
  fileprivate var switchedPWMChips: [(String, [DeviceHardware])] {
    chips.enumerated().compactMap { number, chip in
      let isUsed = outputs.contains { output in
        output.device.lines.contains { self.chip(of: output.device) == number && pwmChannel(of: $0, in: output) != nil }
      }
      guard !isUsed, let line = lines(on: number).first,
        let port = chip.kind.pwmChannel(of: String(line.dropFirst(chip.name.count + 1)))
      else { return nil }
      return (chip.name, [DeviceHardware(port)])
    }
  }
}

extension ExaminedSystem {
  /// The paths of the files: `/dev/i2c-1`, `/dev/snd/controlC0`, `/sys/class/pwm/pwmchip0/export`.
  fileprivate func names(of nodes: DeviceNodes) -> [String] {
    let parts = nodes.prefix.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.dropLast().joined(separator: "/")
    let paths = (machine.entries(of: folder) ?? []).map { "\(folder)/\($0)" }.filter { nodes.contains($0) }.sorted()
    return paths.map { $0 + (nodes.file.map { "/\($0)" } ?? "") }
  }

  /// The name of a file in the report: without `/dev`.
  fileprivate func name(of path: String) -> String {
    path.hasPrefix("/dev/") ? String(path.dropFirst("/dev/".count)) : path
  }

  /// A diagnosis for each account of the panel that may not use a device.
  fileprivate func missingRights(to path: String, _ nodes: DeviceNodes) -> [CheckResult] {
    guard let node = machine.status(of: path) else { return [] }
    let group = Account.group(named: nodes.group, in: machine)
    return [servant, me].compactMap { $0 }.filter { !$0.mayUse(node, forWriting: true, isRead: nodes.driver != nil) }
      .map { account in
        let what = "\(account.name) may not use \(path)"
        let wanted: UInt32 = nodes.driver == nil ? 0o020 : 0o060
        let isOpenToGroup = node.mode & wanted == wanted && node.group != 0 && node.group == group
        let remedy =
          isOpenToGroup
          ? "sudo adduser \(account.name) \(nodes.group), and log in again"
          : group == nil
            ? "there is no group \(nodes.group): install the package, which makes it and the rule for the devices"
            : "the udev rule is not applied: sudo udevadm trigger "
              + (nodes.file.map { "--action=change \(path.dropLast($0.count + 1))" }
                ?? "--name-match=\(name(of: path)) --action=change")
        // If the service's user exists, only its permissions are essential.
        let isVital = account.name == ExaminedSystem.serviceUser || servant == nil
        return isVital ? .failure(what, remedy, status: ExitStatus.notPermitted) : .warning(what, remedy)
      }
  }
}
