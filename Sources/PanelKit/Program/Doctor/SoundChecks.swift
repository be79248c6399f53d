import CycleCore
import PanelLanguage
import Terminal

extension DoctorCheck {
  /// Checks of the sound device, the files, and the priority of the playback thread.
  static let soundChecks = [soundDevice, soundFiles, realTime]

  static let soundDevice = DoctorCheck(10) { system in
    guard let file = system.panel?.file, let panel = system.panel?.definition, !panel.sounds.isEmpty else {
      return []
    }
    let device = panel.audio.device
    var found: [CheckResult] = []
    if let number = SoundCardNumber(in: device) {
      let id = system.machine.text(of: "/proc/asound/card\(number.card)/id")
      found.append(
        .warning(
          "\(device): cards may have other numbers after the next start",
          "write plughw:CARD=\(id ?? "NAME"); aplay -l lists the names"))
    }
    do throws(DriverError) {
      try system.machine.trySound(device)
      return found + [.ok("the sound device \(device) can be opened")]
    } catch {
      return found + [
        .failure("\(file) plays sounds, but cannot \(error.operation): \(error.reason)", error.remedy)
      ]
    }
  }

  /// Checks whether the service may read the sound files.
  static let soundFiles = DoctorCheck(11) { system in
    guard let panel = system.panel, let definition = panel.definition else { return [] }
    let paths = definition.sounds.compactMap { sound -> String? in
      if case .file(let path) = sound.source { path } else { nil }
    }
    let wrong = Set(paths).sorted().compactMap { path in fault(of: path, for: system) }
    guard wrong.isEmpty else { return wrong }
    return paths.isEmpty ? [] : [.ok(counted(paths.count, "sound file"))]
  }

  private static func fault(of path: String, for system: ExaminedSystem) -> CheckResult? {
    // Check 5 reports a missing file.
    guard let file = system.machine.status(of: path), let service = system.panel?.service,
      let servant = system.servant
    else { return nil }
    if ["/home/", "/root/", "/run/user/"].contains(where: path.hasPrefix) {
      return .failure(
        "\(path) is hidden from panel@\(service) (ProtectHome in its unit)", "move it to \(PanelInstallation.folder)")
    }
    if servant.mayUse(file, forWriting: false) { return nil }
    return .failure("\(servant.name) may not read \(path)", "sudo chgrp panel \(path) && sudo chmod g+r \(path)")
  }

  /// Checks whether the service may set a real-time priority for the playback thread.
  static let realTime = DoctorCheck(22) { system in
    guard let panel = system.panel, let service = panel.service, panel.definition?.sounds.isEmpty == false,
      let limit = system.unit?["LimitRTPRIO"].flatMap({ Int($0) }), limit < 40
    else { return [] }
    return [
      .warning(
        "panel@\(service) has a real-time priority of \(limit) at most, so sound may stutter under load",
        "LimitRTPRIO=50 in its unit: sudo systemctl edit panel@\(service)")
    ]
  }
}

/// A card that a PCM name gives by its number: `hw:1`, `plughw:1,0`, `hw:CARD=1`.
private struct SoundCardNumber {
  let card: Int

  init?(in device: String) {
    let parts = device.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let first = parts[1].split(separator: ",").first else { return nil }
    guard let number = Int(first.hasPrefix("CARD=") ? first.dropFirst(5) : first) else { return nil }
    card = number
  }
}
