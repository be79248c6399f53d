import CycleCore
import Terminal

extension DoctorCheck {
  /// What the panel stands on.
  static let systemChecks = [system, board, kernel, libraries]

  /// The distribution, and whether programs have 64 bits: packages exist for those only.
  static let system = DoctorCheck(1) { patient in
    let machine = patient.machine
    let name = Release(of: machine).name ?? "an unknown system"
    guard machine.wordSize == 64 else {
      return [
        .failure(
          "\(name) has a 32-bit userland", "there is no package for it: use the 64-bit image",
          status: ExitStatus.unavailable)
      ]
    }
    return [.ok("\(name), \(machine.architecture), 64 bit")]
  }

  static let board = DoctorCheck(2) { patient in
    [.ok(patient.board ?? "no board that tells its name in /proc/device-tree/model")]
  }

  /// Linux numbers edges since version 5.10, with the second version of its interface for lines.
  static let kernel = DoctorCheck(9) { patient in
    let kernel = patient.machine.kernel
    let parts = kernel.split(whereSeparator: { $0 == "." || $0 == "-" || $0 == "+" }).prefix(2).map { Int($0) ?? 0 }
    guard parts.count == 2, (parts[0], parts[1]) < (5, 10) else { return [.ok("Linux \(kernel)")] }
    return [
      .warning(
        "Linux \(kernel) gives edges no numbers, so lost ones can't be counted",
        "update the system to Linux 5.10 or newer")
    ]
  }

  /// The C libraries, which are looked for when the program runs.
  static let libraries = DoctorCheck(8) { patient in
    let machine = patient.machine
    let panel = patient.panel?.definition
    return SystemLibrary.all.map { library in
      if let found = library.names.first(where: machine.hasLibrary) { return .ok("\(found), for \(library.use)") }
      let package = library.package(on: Release(of: machine))
      let what = "\(library.names[0]) is missing, for \(library.use)"
      let remedy = "sudo apt install \(package)"
      guard let panel, library.isNeeded(panel) else { return .warning(what, remedy) }
      return .failure(what, remedy, status: library.isVital ? ExitStatus.unavailable : ExitStatus.failed)
    }
  }
}

/// The distribution, from `/etc/os-release`.
struct Release {
  /// `Debian GNU/Linux 12 (bookworm)`.
  let name: String?
  /// The version as a whole number; nil for one without.
  let version: Int?

  init(of machine: any Machine) {
    var fields: [Substring: String] = [:]
    for line in (machine.text(of: "/etc/os-release") ?? "").split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { fields[parts[0]] = String(parts[1].filter { $0 != "\"" }) }
    }
    name = fields["PRETTY_NAME"]
    version = fields["VERSION_ID"].flatMap { Int($0) }
  }
}

/// A C library that is loaded when it is needed.
private struct SystemLibrary {
  /// Its names for the loader, the newest version first.
  let names: [String]
  let use: String
  /// Whether the panel can't run without it, if it needs it.
  let isVital: Bool
  /// The Debian package up to release 12, and since.
  let packages: (old: String, new: String)
  let isNeeded: @Sendable (PanelDefinition) -> Bool

  func package(on release: Release) -> String { (release.version ?? .max) < 13 ? packages.old : packages.new }

  static let all = [
    SystemLibrary(
      names: ["libgpiod.so.3", "libgpiod.so.2"], use: "lines", isVital: true, packages: ("libgpiod2", "libgpiod3"),
      isNeeded: { !$0.lines(on: nil).isEmpty }),
    SystemLibrary(
      names: ["libasound.so.2"], use: "sound", isVital: false, packages: ("libasound2", "libasound2t64"),
      isNeeded: { !$0.sounds.isEmpty }),
    SystemLibrary(
      names: ["libmicrohttpd.so.12"], use: "the monitor", isVital: false,
      packages: ("libmicrohttpd12", "libmicrohttpd12t64"),
      isNeeded: { _ in false }),
  ]
}
