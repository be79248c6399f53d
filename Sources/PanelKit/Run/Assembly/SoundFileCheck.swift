import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import PanelLanguage

/// The check of the sound files of a panel.
package enum SoundFileCheck {
  /// Returns why the file at this path can't be played, or that its end is not played as it is. Makes the same checks as
  /// loading the file.
  package static func finding(path: String) -> SoundFileFinding? {
    guard !path.utf8.contains(0) else { return .fault("no such file; write the path of a sound file") }
    do throws(DriverError) {
      try Clip.check(path, isHeard: true)
      return try Clip.loudEnd(of: path).map { level in
        let decibels = Int((20 * log10(Double(level) / 32_768)).rounded())
        return .noteOnEnd("it ends at \(decibels)dB and would click; its last 5ms are faded out")
      }
    } catch {
      switch error.kind {
      case .absent: return .fault("no such file; check the path, it is relative to the folder of this file")
      case .notPermitted: return .fault("permission denied; give this user read access (chmod)")
      default:
        let remedy = error.remedy.hasSuffix(".") ? error.remedy.dropLast() : error.remedy[...]
        return .fault("\(error.reason); \(remedy.prefix(1).lowercased())\(remedy.dropFirst())")
      }
    }
  }
}
