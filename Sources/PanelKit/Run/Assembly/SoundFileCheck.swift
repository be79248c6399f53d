import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import PanelLanguage

/// The check of the sound files of a panel.
package enum SoundFileCheck {
  /// Returns why the file can't be played, or what may not be expected of it. Makes the same checks as a player.
  package static func finding(_ use: SoundFileUse) -> SoundFileFinding? {
    guard !use.path.utf8.contains(0) else { return .fault("no such file; write the path of a sound file") }
    do throws(DriverError) {
      let file = SoundFile(use.path, isStreamed: use.isStreamed)
      try file.check(isHeard: true)
      return try file.loudEnd().map { level in
        let decibels = Int((20 * log10(Double(level) / 32_768)).rounded())
        return .noteOnEnd("it ends at \(decibels)dB and would click; its last 5ms are faded out")
      }
    } catch {
      return finding(error)
    }
  }

  /// The finding for the error of a file.
  static func finding(_ error: DriverError) -> SoundFileFinding {
    let remedy = error.remedy.hasSuffix(".") ? error.remedy.dropLast() : error.remedy[...]
    let text = "\(error.reason); \(remedy.prefix(1).lowercased())\(remedy.dropFirst())"
    switch error.kind {
    // A library is missing; a missing file has a cause.
    case .absent where error.cause == nil: return .note(text)
    case .absent: return .fault("no such file; check the path, it is relative to the folder of this file")
    case .notPermitted: return .fault("permission denied; give this user read access (chmod)")
    default: return .fault(text)
    }
  }
}
