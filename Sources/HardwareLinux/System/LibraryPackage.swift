internal import CALSA
internal import CGPIO
internal import CMQTT
internal import CSndFile
import CycleCore

/// A C library of the system that is loaded when it is needed, and the Debian package that contains it.
package struct LibraryPackage: Sendable {
  /// Its files, in the order in which they are tried.
  package let names: [String]
  /// The package up to Debian 12.
  private let older: String
  /// The package since Debian 13; also named on systems other than Debian.
  private let newer: String

  package static let gpiod = LibraryPackage(
    names: [CGPIO_LIBRARY_2, CGPIO_LIBRARY_1], older: "libgpiod2", newer: "libgpiod3")
  package static let asound = LibraryPackage(names: [CALSA_LIBRARY], older: "libasound2", newer: "libasound2t64")
  package static let microhttpd = LibraryPackage(
    names: ["libmicrohttpd.so.12"], older: "libmicrohttpd12", newer: "libmicrohttpd12t64")
  package static let mosquitto = LibraryPackage(
    names: [CMQTT_LIBRARY], older: "libmosquitto1", newer: "libmosquitto1")
  package static let sndfile = LibraryPackage(
    names: [CSNDFILE_LIBRARY], older: "libsndfile1", newer: "libsndfile1")

  /// The command that installs it.
  package func installation(on release: OSRelease) -> String {
    "sudo apt install \((release.version ?? .max) < 13 ? older : newer)"
  }

  /// The error of an operation that fails because none of its files can be loaded.
  func missing(cannot operation: String, on release: OSRelease, or remedy: String) -> DriverError {
    let files = names.count > 1 ? "neither \(names.joined(separator: " nor ")) is there" : "\(names[0]) is missing"
    return DriverError(
      .absent, of: names[0], cannot: operation, reason: files,
      remedy: "Install it with `\(installation(on: release))`, or \(remedy).")
  }
}
