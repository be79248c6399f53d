import CycleCore
import HardwareDrivers
import HardwareLinux
import PanelLanguage

/// The properties of a machine that the checks of `panel doctor` read: files, accounts, lines, and other programs.
/// ``LinuxMachine`` is the machine of this program; tests use machines with faults.
protocol Machine {
  /// The size of a pointer in bits.
  var wordSize: Int { get }
  /// The architecture as from `uname -m`: `aarch64`.
  var architecture: String { get }
  /// The kernel version as from `uname -r`: `6.1.0-18-arm64`.
  var kernel: String { get }
  /// The account that runs this program.
  var me: Account { get }

  /// Returns the text of a small file without surrounding blanks; nil if it can't be read.
  func text(of path: String) -> String?
  /// Returns the bytes of a small file; nil if it can't be read.
  func bytes(of path: String) -> [UInt8]?
  /// Returns the names in a folder, in any order; nil if it can't be read.
  func entries(of folder: String) -> [String]?
  /// Returns the owner and permissions of a file; nil if it does not exist.
  func status(of path: String) -> FileStatus?
  /// Returns the free part of the file system that contains a path, 0...1; nil if the path does not exist.
  func freeShare(at path: String) -> Double?
  /// Returns the output of a program; nil if it is missing, fails, or takes more than 2 s.
  func printed(by words: [String]) -> String?
  /// Whether a shared library can be loaded.
  func hasLibrary(_ name: String) -> Bool
  /// Returns the GPIO chips that this user can open.
  func chips() throws(DriverError) -> [String]
  /// Returns the holders of lines on the panel's own chip, without requesting any.
  func holders(of lines: [String], of panel: PanelDefinition) throws(DriverError) -> [LineHolder]
  /// Looks for the hardware of a port, without a change to it.
  func inspect(_ port: any Port) throws(DriverError)
  /// Opens a sound device, and closes it again.
  func trySound(_ device: String) throws(DriverError)
  /// The machine's name, and its unique identity.
  var identity: (name: String, identity: String) { get }
  /// Returns an environment variable of this program; nil if it is not set.
  func variable(_ name: String) -> String?
  /// Connects to a broker, and disconnects again.
  func tryBroker(_ trial: BrokerTrial) throws(DriverError) -> BrokerTrial.Findings
}

/// A line and its holder.
struct LineHolder: Equatable, Sendable {
  var line: String
  /// The holder; nil if the line is free, empty if the kernel doesn't report a name.
  var holder: String?
}

/// The owner, the permissions and the age of a file.
struct FileStatus: Equatable, Sendable {
  var owner: UInt32
  var group: UInt32
  /// The nine permission bits of `chmod`.
  var mode: UInt32
  /// The time since its content last changed.
  var age = Duration.zero
}

/// A user account and its groups.
struct Account: Equatable, Sendable {
  var name: String
  var id: UInt32
  var groups: Set<UInt32>

  init(name: String, id: UInt32, groups: Set<UInt32>) {
    self.name = name
    self.id = id
    self.groups = groups
  }

  /// Reads a user from `/etc/passwd` with its groups from `/etc/group`; nil for an unknown name.
  init?(named name: String, in machine: any Machine) {
    let users = Self.records(of: "/etc/passwd", in: machine)
    guard let user = users.first(where: { $0[0] == name && $0.count > 3 }), let id = UInt32(user[2]),
      let group = UInt32(user[3])
    else { return nil }
    self.init(name: name, id: id, groups: [group])
    for record in Self.records(of: "/etc/group", in: machine) where record.count > 3 {
      if let number = UInt32(record[2]), record[3].split(separator: ",").contains(Substring(name)) {
        groups.insert(number)
      }
    }
  }

  /// Returns the number of a group; nil for an unknown name.
  static func group(named name: String, in machine: any Machine) -> UInt32? {
    records(of: "/etc/group", in: machine).first { $0[0] == name && $0.count > 2 }.flatMap { UInt32($0[2]) }
  }

  private static func records(of path: String, in machine: any Machine) -> [[Substring]] {
    (machine.text(of: path) ?? "").split(separator: "\n").map {
      $0.split(separator: ":", omittingEmptySubsequences: false)
    }
  }

  /// Whether the user may read a file if that is required, and write it if that is required.
  func mayUse(_ file: FileStatus, forWriting isWritten: Bool, isRead: Bool = true) -> Bool {
    if id == 0 { return true }
    let wanted: UInt32 = (isRead ? 4 : 0) | (isWritten ? 2 : 0)
    let bits = file.owner == id ? file.mode >> 6 : groups.contains(file.group) ? file.mode >> 3 : file.mode
    return bits & wanted == wanted
  }
}
