/// The place of installed panels, their names, and the version of this package.
package enum PanelInstallation {
  package static let version = "0.1.0"
  /// The folder of the panel files of services.
  package static let folder = "/etc/panel"
  /// The end of the name of a panel file.
  package static let suffix = ".panel.yaml"

  /// Whether a text can be the name of a service: 1 to 64 letters, digits, `-`, `.` and `_`, and not a dot at the
  /// start.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 64 && !text.hasPrefix(".")
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || [0x2D, 0x2E, 0x5F].contains($0)
      }
  }
}
