import CycleCore
import HardwareDrivers
import Terminal

extension DoctorCheck {
  /// Checks of the GPIO chips and their permissions.
  static let chipChecks = [chips, rights, otherPrograms]

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
    var found: [Diagnosis] = []
    for port in ports where port.name != SoundCardPort.name {
      guard let nodes = port.deviceNodes else { continue }
      let names = system.names(of: nodes)
      let missing = names.map { system.missingRights(to: "/dev/\($0)", nodes) }
      if names.isEmpty, port != GPIOChipPort.self {
        found.append(
          .warning(
            "there is no /dev/\(nodes.prefix)*", "enable the hardware, for example with its overlay in config.txt"))
      } else if port == GPIOChipPort.self || missing.allSatisfy({ !$0.isEmpty }) {
        found += missing.joined()
      }
      usable += zip(names, missing).filter { $1.isEmpty }.map(\.0)
    }
    guard found.isEmpty, !usable.isEmpty else { return found }
    let accounts = [system.me, system.servant].compactMap { $0?.name }
    return [.ok("\(accounts.joined(separator: " and ")) may use \(usable.joined(separator: ", "))")]
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

extension ExaminedSystem {
  /// The names of the devices below `/dev`: `i2c-1`, `snd/controlC0`.
  fileprivate func names(of nodes: DeviceNodes) -> [String] {
    let parts = nodes.prefix.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.dropLast().map { "\($0)/" }.joined()
    let names = machine.entries(of: folder.isEmpty ? "/dev" : "/dev/\(folder.dropLast())") ?? []
    return names.filter { $0.hasPrefix(parts.last ?? "") }.sorted().map { folder + $0 }
  }

  /// A diagnosis for each account of the panel that may not use a device.
  fileprivate func missingRights(to path: String, _ nodes: DeviceNodes) -> [Diagnosis] {
    guard let node = machine.status(of: path) else { return [] }
    let group = Account.group(named: nodes.group, in: machine)
    return [servant, me].compactMap { $0 }.filter { !$0.mayUse(node, forWriting: true) }.map { account in
      let what = "\(account.name) may not use \(path)"
      let isOpenToGroup = node.mode & 0o060 == 0o060 && node.group != 0 && node.group == group
      let remedy =
        isOpenToGroup
        ? "sudo adduser \(account.name) \(nodes.group), and log in again"
        : group == nil
          ? "there is no group \(nodes.group): install the package, which makes it and the rule for the devices"
          : "the udev rule is not applied: sudo udevadm trigger --name-match=\(path.dropFirst("/dev/".count)) --action=change"
      // If the service's user exists, only its permissions are essential.
      let isVital = account.name == ExaminedSystem.serviceUser || servant == nil
      return isVital ? .failure(what, remedy, status: ExitStatus.notPermitted) : .warning(what, remedy)
    }
  }
}
