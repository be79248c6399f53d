import CycleCore
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

  /// Checks whether this user and the service's user may use the chips.
  static let rights = DoctorCheck(4) { system in
    let machine = system.machine
    let group = Account.group(named: "gpio", in: machine)
    let nodes = (machine.entries(of: "/dev") ?? []).filter { $0.hasPrefix("gpiochip") }.sorted()
    guard !nodes.isEmpty else { return [] }
    var found: [Diagnosis] = []
    for name in nodes {
      let path = "/dev/\(name)"
      guard let node = machine.status(of: path) else { continue }
      for account in [system.servant, system.me].compactMap({ $0 }) where !account.mayUse(node, forWriting: true) {
        let what = "\(account.name) may not use \(path)"
        let isOpenToGroup = node.mode & 0o060 == 0o060 && node.group != 0 && node.group == group
        let remedy =
          isOpenToGroup
          ? "sudo adduser \(account.name) gpio, and log in again"
          : group == nil
            ? "there is no group gpio: install the package, which makes it and the rule for the chips"
            : "the udev rule is not applied: sudo udevadm trigger --subsystem-match=gpio --action=change"
        // If the service's user exists, only its permissions are essential.
        let isVital = account.name == ExaminedSystem.serviceUser || system.servant == nil
        found.append(isVital ? .failure(what, remedy, status: ExitStatus.notPermitted) : .warning(what, remedy))
      }
    }
    guard found.isEmpty else { return found }
    let names = [system.me, system.servant].compactMap { $0?.name }
    return [.ok("\(names.joined(separator: " and ")) may use the chips")]
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
