import CycleCore
import HardwareDrivers
import HardwareLinux

/// The check of the sound files of a panel.
package enum SoundFileCheck {
  /// The reason why the file at this path can't be played; nil if it can. Makes the same checks as loading it.
  package static func fault(path: String) -> String? {
    guard !path.utf8.contains(0) else { return "no such file; write the path of a sound file" }
    do throws(DriverError) {
      try Clip.check(path, isHeard: true)
      return nil
    } catch {
      switch error.kind {
      case .absent: return "no such file; check the path, it is relative to the folder of this file"
      case .notPermitted: return "permission denied; give this user read access (chmod)"
      default:
        let remedy = error.remedy.hasSuffix(".") ? error.remedy.dropLast() : error.remedy[...]
        return "\(error.reason); \(remedy.prefix(1).lowercased())\(remedy.dropFirst())"
      }
    }
  }
}
