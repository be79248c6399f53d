import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import TestSupport

/// A PWM channel, or a lamp of the kernel, for the program, and the world around it.
protocol PWMStand: RefusingStand {
  var bench: Bench { get }
  /// The longest delay of an effect.
  var tolerance: Duration { get }
  var channel: any PWMChannel { get }
  /// The hardware in messages: `the PWM of GPIO18`.
  var subject: String { get }
  /// A channel that the machine does not have.
  var absentChannel: any PWMChannel { get }
  /// The number of files of the channel that the program has open.
  var openCount: Int { get }

  /// The waves that the hardware has shown since the start or the last call, as shares in percent; -1 for a channel that
  /// is off, and 0 for a lamp. Of a lamp of the kernel only the newest one.
  func takeShares() throws -> [Int]
  /// Each write fails with EIO, or no write. Not for lamps.
  func fail(_ fails: Bool) throws
  /// Removes the chip, or puts it back.
  func unplug() throws
  func plug() throws
  /// Called at the end of every case.
  func end() throws
}

extension PWMStand {
  func pass(_ milliseconds: Int = 0) throws(DriverError) {
    try bench.advance(by: .milliseconds(milliseconds) + tolerance)
  }
}

/// A channel or a lamp in memory, in virtual time.
final class SimulatedPWMStand: PWMStand {
  let bench: Bench
  let subject: String
  let absentChannel: any PWMChannel
  private let simulated: SimulatedPWM
  private var seen = 0
  /// The share of hardware that is off.
  private let off: Int

  static let place = SimulatedLineStand.place

  /// A channel of a chip.
  init() {
    bench = Bench()
    simulated = SimulatedPWM(bench, PWMPort(.chip(KernelPWMStand.chip, channel: KernelPWMStand.number)))
    subject = "the PWM of \(simulated.name)"
    absentChannel = SimulatedPWM(bench, PWMPort(.chip("lab-pwm.9", channel: 0)), isPlugged: false)
    off = -1
  }

  /// A lamp of the kernel.
  init(lamp: String) {
    bench = Bench()
    simulated = SimulatedPWM(bench, KernelLightPort(lamp))
    subject = "the kernel's lamp \(lamp)"
    absentChannel = SimulatedPWM(bench, KernelLightPort("no-lamp"), isPlugged: false)
    off = 0
  }

  /// The reason why it lacks an ability; nil if it has it.
  static func lack(_ ability: Ability) -> String? {
    switch ability {
    case .leaving: "a simulated channel has no program before this one"
    case .pulses: "a simulated channel drives no line"
    case .triggers: "a simulated lamp has no triggers"
    default: nil
    }
  }

  var tolerance: Duration { .zero }
  var channel: any PWMChannel { simulated }
  var openCount: Int { simulated.isOpen ? 1 : 0 }

  func takeShares() -> [Int] {
    defer { seen = simulated.changes.count }
    return simulated.changes.dropFirst(seen).map { change in
      change.wave.map { Int(($0.share * 100).rounded()) } ?? off
    }
  }

  func permit(_ isPermitted: Bool) { simulated.isPermitted = isPermitted }
  func occupy(_ isOccupied: Bool) { simulated.isBusy = isOccupied }
  func fail(_ fails: Bool) {
    simulated.lastingError =
      fails
      ? DriverError(.failed, of: simulated.name, cannot: "set \(subject)", reason: "input/output error", remedy: "")
      : nil
  }
  func unplug() { simulated.unplug() }
  func plug() { simulated.plug() }
  func end() { bench.stop() }
}

/// The PWM chip of the lab's kernel (`Tests/Lab/lab-ports.c`).
final class KernelPWMStand: PWMStand {
  static let chip = "lab-pwm.0"
  static let number = 2
  static let isThere = access("\(folder)/pwm-states", W_OK) == 0

  let bench: Bench
  let channel: any PWMChannel = LinuxPWM(PWMPort(.chip(chip, channel: number)))
  let subject = "the PWM of \(chip) channel \(number)"
  let absentChannel: any PWMChannel = LinuxPWM(PWMPort(.chip("lab-pwm.9", channel: 0)))
  private var occupier: (any PWMConnection)?
  /// The newest share that ``takeShares()`` has returned; -1 before the channel is enabled for the first time.
  private var share = -1

  private static let folder = "/sys/kernel/debug/lab-ports"
  private static let driver = "/sys/bus/platform/drivers/lab-pwm"

  init() throws {
    bench = Bench(loop: try MeasuredLoop())
    try KernelFiles.write("0", to: "\(Self.folder)/pwm-error")
    try KernelFiles.write("0", to: "\(Self.folder)/pwm-states")
  }

  var tolerance: Duration { .milliseconds(60) }
  var openCount: Int { KernelFiles.openCount(containing: "/pwm/pwmchip") }

  /// The states of the channel since the start, as the kernel has applied them.
  static func states() throws -> [(wave: PWMWave?, isInverted: Bool)] {
    let text = String(decoding: bytes(of: "\(folder)/pwm-states") ?? [], as: UTF8.self)
    return try text.split(separator: "\n").compactMap { line in
      let numbers = line.split(separator: " ").compactMap { Int64($0) }
      guard numbers.count == 6 else { throw StandFailure("in pwm-states: \(line)") }
      guard numbers[1] == number else { return nil }
      let wave = PWMWave(period: .nanoseconds(numbers[2]), high: .nanoseconds(numbers[3]))
      return (numbers[5] == 1 ? wave : nil, numbers[4] == 1)
    }
  }

  func takeShares() throws -> [Int] {
    var shares: [Int] = []
    for state in try Self.states() {
      let next = state.wave.map { Int(($0.share * 100).rounded()) } ?? -1
      if next != share { shares.append(next) }
      share = next
    }
    try KernelFiles.write("0", to: "\(Self.folder)/pwm-states")
    return shares
  }

  /// The folder of the chip, which gets a new number each time that it comes.
  private func chipFolder() throws -> String {
    let folder = "/sys/bus/platform/devices/\(Self.chip)/pwm"
    guard let name = names(in: folder).first else { throw StandFailure("\(folder) is empty") }
    return "\(folder)/\(name)"
  }

  /// Exports the channel and sets its wave, as a program that was killed then. Times are in nanoseconds.
  func leave(period: Int, duty: Int, inverted: Bool) throws {
    let chip = try chipFolder()
    try KernelFiles.write("\(Self.number)", to: "\(chip)/export")
    let folder = "\(chip)/pwm\(Self.number)"
    try KernelFiles.write("\(period)", to: "\(folder)/period")
    try KernelFiles.write("\(duty)", to: "\(folder)/duty_cycle")
    if inverted { try KernelFiles.write("inversed", to: "\(folder)/polarity") }
    try KernelFiles.write("1", to: "\(folder)/enable")
  }

  /// Whether a program has the channel.
  var isExported: Bool { get throws { access("\(try chipFolder())/pwm\(Self.number)", F_OK) == 0 } }

  func permit(_ isPermitted: Bool) throws { try KernelFiles.permit(isPermitted) }

  func occupy(_ isOccupied: Bool) throws {
    occupier?.close()
    occupier = isOccupied ? try channel.open(showing: PWMWave(0, hertz: 1000)) : nil
  }

  func fail(_ fails: Bool) throws { try KernelFiles.write(fails ? "\(EIO)" : "0", to: "\(Self.folder)/pwm-error") }
  func unplug() throws { try KernelFiles.write(Self.chip, to: "\(Self.driver)/unbind") }
  func plug() throws { try KernelFiles.write(Self.chip, to: "\(Self.driver)/bind") }

  func end() throws {
    bench.stop()
    try permit(true)
    try fail(false)
    if access("\(Self.driver)/\(Self.chip)", F_OK) != 0 { try plug() }
    if try isExported { try KernelFiles.write("\(Self.number)", to: "\(try chipFolder())/unexport") }
  }
}

/// A PWM channel of the kernel's `pwm-gpio`, and the line that it drives, which is traced.
final class KernelPulses {
  let channel: any PWMChannel = LinuxPWM(PWMPort(.chip("pwm-gpio.0", channel: 0)))
  private let trace: LineTrace

  private static let label = "lab-pulses"

  init() throws {
    _ = try SimulatorChip(label: Self.label, names: ["PULSES"])
    // Its driver has waited for the line.
    let folder = "/sys/bus/platform/devices/pwm-gpio.0/pwm"
    for _ in 0..<500 where access(folder, F_OK) != 0 { usleep(10_000) }
    guard access(folder, F_OK) == 0 else { throw StandFailure("\(folder) doesn't come") }
    trace = try LineTrace(of: Self.label, lineCount: 1)
  }

  func forget() throws { try trace.forget() }

  /// The time for which the line was high in each pulse since ``forget()``, in microseconds.
  func widths() throws -> [Int] {
    var rise: Moment?
    var widths: [Int] = []
    for change in try trace.changes() {
      if change.level == .high {
        rise = rise ?? change.moment
      } else if let begin = rise {
        widths.append(Int((change.moment - begin).wholeNanoseconds / 1000))
        rise = nil
      }
    }
    return widths
  }
}

/// A lamp of the kernel that this program makes with `/dev/uleds`, and sees from the other side.
///
/// **Source.** Kernel documentation, `leds/uleds`.
final class KernelLampStand: PWMStand {
  static let name = "lab:green:lamp"
  static let isThere = access("/dev/uleds", R_OK | W_OK) == 0

  let bench: Bench
  let channel: any PWMChannel = LinuxKernelLight(KernelLightPort(name))
  let subject = "the kernel's lamp \(name)"
  let absentChannel: any PWMChannel = LinuxKernelLight(KernelLightPort("no-lamp"))
  private var lamp: Int32 = -1
  private var occupier: (any PWMConnection)?
  private var shares: [Int] = []

  private static let most: Int32 = 200

  init() throws {
    bench = Bench(loop: try MeasuredLoop())
    try plug()
  }

  deinit { if lamp >= 0 { close(lamp) } }

  var tolerance: Duration { .milliseconds(60) }
  var openCount: Int { KernelFiles.openCount(containing: "/\(Self.name)/") }

  /// The kernel keeps only the newest brightness for the reader.
  func takeShares() -> [Int] {
    note()
    defer { shares = [] }
    return shares
  }

  private func note() {
    var brightness: Int32 = 0
    while lamp >= 0, read(lamp, &brightness, 4) == 4 { shares.append(Int(brightness * 100 / Self.most)) }
  }

  func permit(_ isPermitted: Bool) throws { try KernelFiles.permit(isPermitted) }

  func occupy(_ isOccupied: Bool) throws {
    occupier?.close()
    occupier = isOccupied ? try channel.open(showing: PWMWave(0, hertz: 1000)) : nil
  }

  func fail(_ fails: Bool) throws { throw StandFailure("a lamp of /dev/uleds takes every brightness") }

  func unplug() {
    note()
    close(lamp)
    lamp = -1
  }

  /// `struct uleds_user_dev`: 64 bytes of name, and the greatest brightness.
  func plug() throws {
    lamp = open("/dev/uleds", O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard lamp >= 0 else { throw StandFailure("open /dev/uleds: errno \(errno)") }
    var device = Array(Self.name.utf8) + [UInt8](repeating: 0, count: 64 - Self.name.utf8.count)
    withUnsafeBytes(of: Self.most) { device += $0 }
    guard write(lamp, device, device.count) == device.count else { throw StandFailure("write /dev/uleds: \(errno)") }
    // The brightness that the lamp has from the start.
    var brightness: Int32 = 0
    _ = read(lamp, &brightness, 4)
  }

  /// The trigger that drives the lamp, as the kernel lists it: `none [timer]`.
  func trigger() throws -> String {
    let text = try KernelFiles.text("/sys/class/leds/\(Self.name)/trigger")
    return text.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("[") }.map(String.init) ?? ""
  }

  func setTrigger(_ name: String) throws { try KernelFiles.write(name, to: "/sys/class/leds/\(Self.name)/trigger") }

  func end() throws {
    bench.stop()
    try permit(true)
    unplug()
  }
}
