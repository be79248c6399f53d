import CycleCore
import HardwareLinux
import PanelLanguage
import Terminal

extension DoctorCheck {
  /// Checks of the system that the panel runs on.
  static let systemChecks = [system, board, kernel, libraries]

  /// Checks the distribution, and that programs have 64 bits: packages exist only for those.
  static let system = DoctorCheck(1) { system in
    let machine = system.machine
    let name = OSRelease(of: machine).name ?? "an unknown system"
    guard machine.wordSize == 64 else {
      return [
        .failure(
          "\(name) has a 32-bit userland", "there is no package for it: use the 64-bit image",
          status: ExitStatus.unavailable)
      ]
    }
    return [.ok("\(name), \(machine.architecture), 64 bit")]
  }

  static let board = DoctorCheck(2) { system in
    [.ok(system.board ?? "the board has no name in /proc/device-tree/model")]
  }

  /// Checks the kernel version. Linux numbers edges since version 5.10, with the second version of its line interface.
  static let kernel = DoctorCheck(9) { system in
    let kernel = system.machine.kernel
    let parts = kernel.split(whereSeparator: { $0 == "." || $0 == "-" || $0 == "+" }).prefix(2).map { Int($0) ?? 0 }
    guard parts.count == 2, (parts[0], parts[1]) < (5, 10) else { return [.ok("Linux \(kernel)")] }
    return [
      .warning(
        "Linux \(kernel) gives edges no numbers, so lost ones can't be counted",
        "update the system to Linux 5.10 or newer")
    ]
  }

  /// Checks the C libraries that are loaded at run time.
  static let libraries = DoctorCheck(8) { system in
    let machine = system.machine
    let panel = system.panel?.definition
    return NeededLibrary.all.map { needed in
      let names = needed.library.names
      if let found = names.first(where: machine.hasLibrary) { return .ok("\(found), for \(needed.use)") }
      let what = "\(names[0]) is missing, for \(needed.use)"
      let remedy = needed.library.installation(on: OSRelease(of: machine))
      let isNeeded = panel.map(needed.isNeeded) ?? needed.isRecommended
      guard isNeeded else {
        return .ok(
          "\(names[0]) is not there, and \(panel == nil ? "few panels need" : "this panel doesn't need") it, for \(needed.use)"
        )
      }
      guard panel != nil else { return .warning(what, remedy) }
      return .failure(what, remedy, status: needed.isVital ? ExitStatus.unavailable : ExitStatus.failed)
    }
  }
}

extension OSRelease {
  init(of machine: any Machine) { self.init(machine.text(of: "/etc/os-release") ?? "") }
}

/// A C library of the system and its purpose.
private struct NeededLibrary {
  let library: LibraryPackage
  let use: String
  /// Whether a panel that needs the library can't run without it.
  let isVital: Bool
  /// Whether most panels need the library.
  var isRecommended = false
  let isNeeded: @Sendable (PanelDefinition) -> Bool

  static let all = [
    NeededLibrary(
      library: .gpiod, use: "lines", isVital: true, isRecommended: true, isNeeded: { !$0.lines(on: nil).isEmpty }),
    NeededLibrary(
      library: .asound, use: "sound", isVital: false, isRecommended: true, isNeeded: { !$0.sounds.isEmpty }),
    NeededLibrary(
      library: .sndfile, use: "sound files other than WAV", isVital: false,
      isNeeded: { panel in
        panel.sounds.contains { if case .file(let path) = $0.source { !path.hasSuffix(".wav") } else { false } }
      }),
    NeededLibrary(library: .mosquitto, use: "an MQTT broker", isVital: false, isNeeded: { $0.mqtt != nil }),
    NeededLibrary(library: .microhttpd, use: "--monitor", isVital: false, isNeeded: { _ in false }),
  ]
}
