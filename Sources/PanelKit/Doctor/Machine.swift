import CycleCore
import HardwareLinux

/// What the checks of `panel doctor` ask of a machine: files, accounts, lines, and other programs. ``LinuxMachine`` is the
/// one that this program runs on; tests have one with faults.
protocol Machine {
  /// How many bits a pointer of this program has.
  var wordSize: Int { get }
  /// As `uname -m` tells it: `aarch64`.
  var architecture: String { get }
  /// As `uname -r` tells it: `6.1.0-18-arm64`.
  var kernel: String { get }
  /// Who runs this program.
  var me: Account { get }

  /// The text of a small file, without the blanks around it; nil if it isn't there or can't be read.
  func text(of path: String) -> String?
  /// The bytes of a small file; nil if it isn't there or can't be read.
  func bytes(of path: String) -> [UInt8]?
  /// The names of what is in a folder, in no order; nil if it isn't there or can't be read.
  func entries(of folder: String) -> [String]?
  /// Nil if nothing is there.
  func status(of path: String) -> FileStatus?
  /// The free part of the file system that a path is on, 0...1; nil if nothing is there.
  func freeShare(at path: String) -> Double?
  /// What a program prints; nil if it isn't there, fails, or takes more than 2 s.
  func printed(by words: [String]) -> String?
  /// Whether a shared library can be loaded.
  func hasLibrary(_ name: String) -> Bool
  /// The GPIO chips that this user can open.
  func chips() throws(DriverError) -> [String]
  /// Looks at lines of a panel's own chip; requests none.
  func holders(of lines: [String], of panel: PanelDefinition) throws(DriverError) -> [LineHolder]
  /// Opens a sound device, and closes it again.
  func trySound(_ device: String) throws(DriverError)
  /// The machine's name, and what no other machine has.
  var identity: (name: String, identity: String) { get }
  /// A variable of this program's environment; nil for one that isn't set.
  func variable(_ name: String) -> String?
  /// Connects to a broker, and ends the connection again.
  func tryBroker(_ trial: BrokerTrial) throws(DriverError) -> BrokerTrial.Findings
}

/// A line, and who holds it.
struct LineHolder: Equatable, Sendable {
  var line: String
  /// Nil if nobody does; empty where the kernel doesn't tell who.
  var holder: String?
}

/// Who a file belongs to, and who may use it.
struct FileStatus: Equatable, Sendable {
  var owner: UInt32
  var group: UInt32
  /// The nine bits of `chmod`.
  var mode: UInt32
  /// Since its content changed last.
  var age = Duration.zero
}

/// A user and his groups.
struct Account: Equatable, Sendable {
  var name: String
  var id: UInt32
  var groups: Set<UInt32>

  init(name: String, id: UInt32, groups: Set<UInt32>) {
    self.name = name
    self.id = id
    self.groups = groups
  }

  /// A user of `/etc/passwd` with the groups that `/etc/group` has for him; nil if there is none of that name.
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

  /// The number of a group; nil if there is none of that name.
  static func group(named name: String, in machine: any Machine) -> UInt32? {
    records(of: "/etc/group", in: machine).first { $0[0] == name && $0.count > 2 }.flatMap { UInt32($0[2]) }
  }

  private static func records(of path: String, in machine: any Machine) -> [[Substring]] {
    (machine.text(of: path) ?? "").split(separator: "\n").map {
      $0.split(separator: ":", omittingEmptySubsequences: false)
    }
  }

  /// Whether he may read a file, and also write it if that is asked for.
  func mayUse(_ file: FileStatus, forWriting isWritten: Bool) -> Bool {
    if id == 0 { return true }
    let wanted: UInt32 = isWritten ? 6 : 4
    let bits = file.owner == id ? file.mode >> 6 : groups.contains(file.group) ? file.mode >> 3 : file.mode
    return bits & wanted == wanted
  }
}
