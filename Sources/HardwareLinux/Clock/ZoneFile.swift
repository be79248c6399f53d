import CycleCore
import Glibc
import HardwareDrivers

/// The files of the time zone database.
public enum ZoneFile {
  /// The folder of the database.
  static let folder = "/usr/share/zoneinfo"

  /// The rules of a zone.
  ///
  /// - Parameter name: a name of the database (`Europe/Berlin`), or rules as a text (`CET-1CEST,M3.5.0,M10.5.0/3`).
  /// - Throws: kind `misconfigured` if there is no such zone.
  public static func rules(named name: String) throws(DriverError) -> ZoneRules {
    try rules(named: name, in: folder)
  }

  static func rules(named name: String, in folder: String) throws(DriverError) -> ZoneRules {
    let isName =
      (1...64).contains(name.utf8.count) && !name.hasPrefix("/")
      && !name.split(separator: "/", omittingEmptySubsequences: false).contains { $0.isEmpty || $0.hasPrefix(".") }
      && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    if isName, let bytes = try? SmallFile.bytes(of: "\(folder)/\(name)", atMost: ZoneRules.longestFile + 1) {
      return try rules(of: bytes, name: name, path: "\(folder)/\(name)")
    }
    if let rules = ZoneRules(posix: name) { return rules }
    if name == "UTC" { return .utc }
    throw DriverError(
      .misconfigured, of: "clock", cannot: "use the time zone \"\(name)\" for the clock",
      reason: isName ? "there is no file \(folder)/\(name)" : "this is not the name of a time zone",
      remedy: "Write a name that `timedatectl list-timezones` lists; the package tzdata has the files.")
  }

  /// The rules of the zone of this machine: those of the environment's `TZ`, or of `/etc/localtime`; UTC without both.
  static func machineRules(
    environment: String? = getenv("TZ").map { String(cString: $0) }, link: String = "/etc/localtime"
  ) throws(DriverError) -> ZoneRules {
    if let environment, !environment.isEmpty {
      return try rules(named: environment.hasPrefix(":") ? String(environment.dropFirst()) : environment)
    }
    guard let bytes = try? SmallFile.bytes(of: link, atMost: ZoneRules.longestFile + 1) else { return .utc }
    return try rules(of: bytes, name: name(ofLink: link), path: link)
  }

  /// The name of the zone that a link to a file of the database names.
  private static func name(ofLink link: String) -> String {
    let target = LinuxSysfsAccess().target(of: link) ?? link
    guard let place = target.range(ofText: "zoneinfo/") else { return "local" }
    return String(target[place...])
  }

  private static func rules(of bytes: [UInt8], name: String, path: String) throws(DriverError) -> ZoneRules {
    do throws(ZoneRules.Problem) {
      return try ZoneRules(tzif: bytes, name: name)
    } catch {
      throw DriverError(
        .misconfigured, of: "clock", cannot: "read the time zone \(path) for the clock", reason: error.reason,
        remedy: "Install the package tzdata again.")
    }
  }
}

extension String {
  /// The place after the first occurrence of a text.
  fileprivate func range(ofText text: String) -> String.Index? {
    var place = startIndex
    while place < endIndex {
      if self[place...].hasPrefix(text) { return index(place, offsetBy: text.count) }
      place = index(after: place)
    }
    return nil
  }
}
