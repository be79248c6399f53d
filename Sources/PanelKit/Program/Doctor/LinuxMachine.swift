import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import PanelLanguage
import PanelNetwork
import PanelRun

/// The machine that this program runs on.
struct LinuxMachine: Machine {
  /// The longest run time of another program.
  private static let patience = Duration.seconds(2)
  /// The limit in bytes for files of the kernel and tables of users.
  private static let mostBytes = 1 << 20

  let me = LinuxMachine.currentAccount()

  var wordSize: Int { Int.bitWidth }
  var architecture: String { Self.uname(\.machine) }
  var kernel: String { Self.uname(\.release) }

  private static func uname<Field>(_ field: KeyPath<utsname, Field>) -> String {
    var names = utsname()
    guard Glibc.uname(&names) == 0 else { return "" }
    return withUnsafeBytes(of: names[keyPath: field]) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Calls `geteuid`, `getgroups` and `getpwuid_r`.
  private static func currentAccount() -> Account {
    let id = geteuid()
    var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
    let count = getgroups(Int32(groups.count), &groups)
    groups = Array(groups.prefix(Int(max(0, count)))) + [getegid()]
    var (record, found): (passwd, UnsafeMutablePointer<passwd>?) = (passwd(), nil)
    var buffer = [CChar](repeating: 0, count: 1 << 14)
    let code = getpwuid_r(id, &record, &buffer, buffer.count, &found)
    let name = code == 0 && found != nil ? String(cString: record.pw_name) : "\(id)"
    return Account(name: name, id: id, groups: Set(groups))
  }

  func bytes(of path: String) -> [UInt8]? { try? SmallFile.bytes(of: path, atMost: Self.mostBytes) }

  func text(of path: String) -> String? {
    guard let bytes = bytes(of: path) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  func entries(of folder: String) -> [String]? {
    (try? Folder.entries(of: folder))?.filter { $0 != "." && $0 != ".." }
  }

  /// Calls `stat`.
  func status(of path: String) -> FileStatus? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let age = Duration.seconds(max(0, time(nil) - status.st_mtim.tv_sec))
    return FileStatus(owner: status.st_uid, group: status.st_gid, mode: status.st_mode & 0o777, age: age)
  }

  /// Calls `statvfs`.
  func freeShare(at path: String) -> Double? {
    var status = statvfs()
    guard statvfs(path, &status) == 0, status.f_blocks > 0 else { return nil }
    return Double(status.f_bavail) / Double(status.f_blocks)
  }

  func printed(by words: [String]) -> String? {
    let printed = try? ChildProcess.run(words, reading: "", within: Self.patience, isQuiet: true)
    return printed.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `dlopen`.
  func hasLibrary(_ name: String) -> Bool {
    guard let library = dlopen(name, RTLD_LAZY | RTLD_LOCAL) else { return false }
    dlclose(library)
    return true
  }

  func chips() throws(DriverError) -> [String] { try LinuxGPIO().chips() }

  func holders(of lines: [String], of panel: PanelDefinition) throws(DriverError) -> [LineHolder] {
    try LinuxGPIO(GPIOChipPort(of: panel).choice).inspect(lines.map { LineName($0) }).map {
      LineHolder(line: $0.name, holder: $0.holder)
    }
  }

  func inspect(_ port: any Port) throws(DriverError) { try (port as? any RealPort)?.inspect() }

  func trySound(_ device: String) throws(DriverError) { try ALSACard(device: device).tryOut() }

  var identity: (name: String, identity: String) { MQTTEnvironment.thisMachine }
  func variable(_ name: String) -> String? { MQTTEnvironment.variable(name) }
  func tryBroker(_ trial: BrokerTrial) throws(DriverError) -> BrokerTrial.Findings { try trial.run() }
}
