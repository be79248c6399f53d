import Glibc
import HardwareDrivers

@testable import HardwareLinux

/// The PWM subsystem of a kernel in memory: sysfs, a device tree, udev and other programs. It has the rules of
/// `drivers/pwm/core.c` and `sysfs.c`.
final class PWMKernel: SysfsAccess {
  struct Channel {
    var period: Int64 = 0
    var duty: Int64 = 0
    var isInverted = false
    var isEnabled = false
    var isExported = false
    /// Whether a driver of the kernel, such as that of a fan, has it.
    var hasKernelUser = false
    /// The descriptor that has locked its file; nil for none. Ours are below 1 000.
    var lock: Int32?
  }

  struct Chip {
    var number: Int
    var device: String
    var channels: [Channel]
    var properties: [String: [UInt8]] = [:]
    /// Whether all enabled channels must have one period, as with `pwm-pca9685`.
    var hasOnePeriod = false
  }

  /// What the lines see: `0 1500000/20000000 on`, a line for each state that the chip gets.
  private(set) var log: [String] = []
  var chips: [Chip] = []
  /// The files of the device tree.
  var tree: [String: [UInt8]] = [:]
  /// The milliseconds until udev has given the files of an exported channel to the group; nil for never.
  var ruleTime: Int? = 0
  /// Whether this user may export channels.
  var mayExport = true
  /// The errno of each later write to `period`, `duty_cycle` and `enable`; nil for none.
  var writeError: Int32?
  private(set) var sleeps = 0
  private var files: [Int32: (chip: String, channel: Int, name: String)] = [:]
  private var next: Int32 = 10
  private var exportedAt = 0

  var openCount: Int { files.count }

  static func cells(_ numbers: Int...) -> [UInt8] {
    numbers.flatMap { [UInt8($0 >> 24 & 255), UInt8($0 >> 16 & 255), UInt8($0 >> 8 & 255), UInt8($0 & 255)] }
  }

  static func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

  // MARK: - The world's side

  func remove(_ device: String) {
    chips.removeAll { $0.device == device }
  }

  /// Another program exports a channel, with a lock as of this project or without one.
  func export(_ channel: Int, of device: String, isLocked: Bool) {
    let chip = chips.firstIndex { $0.device == device }!
    chips[chip].channels[channel].isExported = true
    if isLocked { chips[chip].channels[channel].lock = 5_000 }
  }

  // MARK: - The program's side

  private func failure(_ function: String, _ number: Int32) -> SystemFailure {
    SystemFailure(function: function, number: number)
  }

  /// The place of a path below the class: a chip, a channel and a file.
  private func place(of path: String) -> (chip: Int, channel: Int?, name: String)? {
    let parts = path.split(separator: "/").map(String.init)
    guard parts.count >= 4, parts[0...2] == ["sys", "class", "pwm"], let number = Int(parts[3].dropFirst(7)),
      let chip = chips.firstIndex(where: { $0.number == number })
    else { return nil }
    guard parts.count > 4, parts[4].hasPrefix("pwm"), let channel = Int(parts[4].dropFirst(3)) else {
      return (chip, nil, parts.dropFirst(4).joined(separator: "/"))
    }
    return (chip, channel, parts.dropFirst(5).joined(separator: "/"))
  }

  func open(_ path: String) throws(SystemFailure) -> Int32 {
    guard let (chip, channel, name) = place(of: path), let channel, chips[chip].channels.indices.contains(channel),
      chips[chip].channels[channel].isExported
    else { throw failure("open", ENOENT) }
    guard let ruleTime, sleeps - exportedAt >= ruleTime else { throw failure("open", EACCES) }
    next += 1
    files[next] = (chips[chip].device, channel, name)
    return next
  }

  func close(_ descriptor: Int32) {
    guard let file = files.removeValue(forKey: descriptor) else { return }
    guard let chip = chips.firstIndex(where: { $0.device == file.chip }) else { return }
    if chips[chip].channels[file.channel].lock == descriptor { chips[chip].channels[file.channel].lock = nil }
  }

  func write(_ text: String, to descriptor: Int32) throws(SystemFailure) {
    guard let file = files[descriptor], let chip = chips.firstIndex(where: { $0.device == file.chip }),
      chips[chip].channels[file.channel].isExported
    else { throw failure("write", ENODEV) }
    try write(text, chip, file.channel, file.name)
  }

  func write(_ text: String, to path: String) throws(SystemFailure) {
    guard let (chip, channel, name) = place(of: path) else { throw failure("open", ENOENT) }
    if let channel { return try write(text, chip, channel, name) }
    guard mayExport else { throw failure("open", EACCES) }
    guard let channel = Int(text), chips[chip].channels.indices.contains(channel) else {
      throw failure("write", EINVAL)
    }
    let state = chips[chip].channels[channel]
    switch name {
    case "export":
      if state.isExported || state.hasKernelUser { throw failure("write", EBUSY) }
      chips[chip].channels[channel].isExported = true
      exportedAt = sleeps
    case "unexport":
      if !state.isExported { throw failure("write", ENODEV) }
      chips[chip].channels[channel].isExported = false
    default: throw failure("open", ENOENT)
    }
  }

  private func write(_ text: String, _ chip: Int, _ channel: Int, _ name: String) throws(SystemFailure) {
    if let writeError { throw failure("write", writeError) }
    var state = chips[chip].channels[channel]
    switch name {
    case "period":
      // The duty cycle of a channel must not be above its period, and the period of an enabled one not 0.
      guard let period = Int64(text), period > 0, state.duty <= period else { throw failure("write", EINVAL) }
      state.period = period
    case "duty_cycle":
      guard let duty = Int64(text), duty <= state.period else { throw failure("write", EINVAL) }
      state.duty = duty
    case "enable":
      guard text == "0" || state.period > 0 else { throw failure("write", EINVAL) }
      state.isEnabled = text == "1"
    case "polarity":
      if state.isEnabled { throw failure("write", EBUSY) }
      state.isInverted = text == "inversed"
    default: throw failure("write", EACCES)
    }
    let others = chips[chip].channels.enumerated().filter { $0.offset != channel && $0.element.isEnabled }
    if chips[chip].hasOnePeriod, state.isEnabled, others.contains(where: { $0.element.period != state.period }) {
      throw failure("write", EBUSY)
    }
    chips[chip].channels[channel] = state
    log.append(
      "\(channel) \(state.duty)/\(state.period)\(state.isInverted ? " inverted" : "") \(state.isEnabled ? "on" : "off")"
    )
  }

  func read(_ descriptor: Int32) throws(SystemFailure) -> String {
    guard let file = files[descriptor], let chip = chips.first(where: { $0.device == file.chip }),
      chip.channels[file.channel].isExported
    else { throw failure("read", ENODEV) }
    let state = chip.channels[file.channel]
    switch file.name {
    case "period": return "\(state.period)"
    case "duty_cycle": return "\(state.duty)"
    default: return state.isEnabled ? "1" : "0"
    }
  }

  func lock(_ descriptor: Int32) throws(SystemFailure) {
    guard let file = files[descriptor], let chip = chips.firstIndex(where: { $0.device == file.chip }) else {
      throw failure("flock", EBADF)
    }
    if chips[chip].channels[file.channel].lock != nil { throw failure("flock", EWOULDBLOCK) }
    chips[chip].channels[file.channel].lock = descriptor
  }

  func bytes(of path: String) -> [UInt8]? {
    if let bytes = tree[path] { return bytes }
    guard let (chip, channel, name) = place(of: path) else { return nil }
    guard let channel else { return chips[chip].properties[name.replacing("device/of_node/", with: "")] }
    guard name == "polarity", chips[chip].channels[channel].isExported else { return nil }
    return Self.text(chips[chip].channels[channel].isInverted ? "inversed\n" : "normal\n")
  }

  func entries(of folder: String) -> [String] {
    if folder == "/sys/class/pwm" { return chips.map { "pwmchip\($0.number)" } }
    let names = tree.keys.filter { $0.hasPrefix(folder + "/") }.map {
      $0.dropFirst(folder.utf8.count + 1).prefix { $0 != "/" }
    }
    return Array(Set(names)).map(String.init)
  }

  func exists(_ path: String) -> Bool {
    guard let (chip, channel, _) = place(of: path), let channel else { return false }
    return chips[chip].channels.indices.contains(channel) && chips[chip].channels[channel].isExported
  }

  func target(of link: String) -> String? {
    place(of: link).map { "../../../devices/platform/soc/\(chips[$0.chip].device)" }
  }

  func sleep(milliseconds: Int) { sleeps += milliseconds }
}
