/// The distribution of a system.
package struct OSRelease {
  /// The name, `Debian GNU/Linux 12 (bookworm)`; nil if the system doesn't provide it.
  package let name: String?
  /// The version as a whole number; nil if it isn't one.
  package let version: Int?

  /// - Parameter text: the content of the file `/etc/os-release`.
  package init(_ text: String) {
    var fields: [Substring: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { fields[parts[0]] = String(parts[1].filter { $0 != "\"" }) }
    }
    name = fields["PRETTY_NAME"]
    version = fields["VERSION_ID"].flatMap { Int($0) }
  }

  /// The release of this machine. Reads `/etc/os-release`.
  static var current: OSRelease {
    let bytes = try? SmallFile.bytes(of: "/etc/os-release", atMost: 1 << 14)
    return OSRelease(String(decoding: bytes ?? [], as: UTF8.self))
  }
}
