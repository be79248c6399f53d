import CycleCore
import Glibc
import PacedPCM
import TestSupport

@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

/// A card's mixer for the program, and somebody else who turns it.
protocol MixerStand: AnyObject {
  var bench: Bench { get }
  var mixer: any MixerControl { get }
  /// How late something may be noticed.
  var tolerance: Duration { get }
  /// Whether its volume has a switch.
  var hasSwitch: Bool { get }

  /// Why the stand can't do this; nil if it can.
  func reason(against ability: Ability) -> String?

  /// Somebody else turns it to so many percent, as they are heard.
  func turn(to percent: Int, isMuted: Bool) throws
  /// To how many percent it is set, as somebody else sees it.
  func seen() throws -> Int
  /// Somebody else turns the two sides to so many percent.
  func turn(left: Int, right: Int) throws
  /// Whether the card takes orders.
  func lock(_ isLocked: Bool) throws
  /// Takes the volume away while the card stays, or brings it back.
  func strip(_ isStripped: Bool) throws
  func unplug() throws
  func plug() throws
  /// What every case ends with.
  func end() throws
}

extension MixerStand {
  func turn(left: Int, right: Int) throws { throw StandFailure("its sides don't differ") }
  func lock(_ isLocked: Bool) throws { throw StandFailure("it can't be locked") }
  func strip(_ isStripped: Bool) throws { throw StandFailure("its volume stays") }
  func pass() throws(DriverError) { try bench.advance(by: tolerance) }
}

/// A mixer in memory.
final class SimulatedMixerStand: MixerStand {
  let bench = Bench()
  private let simulated: SimulatedMixer
  let hasSwitch: Bool

  init(hasSwitch: Bool) {
    self.hasSwitch = hasSwitch
    simulated = SimulatedMixer(volume: 0.8, hasSwitch: hasSwitch)
  }

  var mixer: any MixerControl { simulated }
  var tolerance: Duration { .zero }

  func reason(against ability: Ability) -> String? {
    switch ability {
    case .sides: "a simulated mixer has one side"
    case .stripping: "a simulated mixer is its volume"
    default: nil
    }
  }

  func lock(_ isLocked: Bool) {
    simulated.lastingWriteError =
      isLocked ? ALSAFailure("snd_mixer_selem_set_playback_volume_all", -EPERM).setting("simulated") : nil
  }

  func turn(to percent: Int, isMuted: Bool) throws {
    simulated.turn(to: MixerLevel(volume: Double(percent) / 100, isMuted: isMuted))
    try bench.settle()
  }

  func seen() -> Int { Int((simulated.level.volume * 100).rounded()) }

  func unplug() throws {
    simulated.unplug()
    try bench.settle()
  }

  func plug() throws {
    simulated.plug()
    try bench.settle()
  }

  func end() { bench.stop() }
}

/// libasound itself above a control plugin in this process, in virtual time.
final class PluginMixerStand: MixerStand {
  let bench = Bench()
  var mixer: any MixerControl { control }
  private let control: InlineMixer
  private let card: OpaquePointer
  private let scale = VolumeScale(unit: .decibels(isSilentAtMinimum: false), minimum: -6000, maximum: 0)

  init() {
    let card: OpaquePointer = paced_mixer_new()
    self.card = card
    control = InlineMixer(
      ALSAMixer(card: "paced") { mixer, _ in paced_mixer_attach(card, UnsafeMutableRawPointer(mixer)) })
    paced_mixer_turn(card, 100, true)
  }

  deinit { paced_mixer_free(card) }

  var tolerance: Duration { .milliseconds(1) }
  var hasSwitch: Bool { true }

  func reason(against ability: Ability) -> String? {
    switch ability {
    case .sides: "the plugin's mixer has one side"
    case .noSwitch: "the plugin's mixer has a switch"
    default: nil
    }
  }

  func lock(_ isLocked: Bool) { paced_mixer_lock(card, isLocked) }

  func strip(_ isStripped: Bool) throws(DriverError) {
    paced_mixer_strip(card, isStripped)
    control.wakeIfReadable()
    // Nothing tells that it is back: it is tried after a second.
    if !isStripped { try bench.advance(by: .milliseconds(1100)) }
  }

  func turn(to percent: Int, isMuted: Bool) {
    paced_mixer_turn(card, (scale.value(at: Double(percent) / 100) + 6000) / 50, !isMuted)
    control.wakeIfReadable()
  }

  func seen() -> Int { Int((scale.volume(at: paced_mixer_volume(card) * 50 - 6000) * 100).rounded()) }
  func unplug() {
    paced_mixer_plug(card, false)
    control.wakeIfReadable()
  }

  func plug() throws(DriverError) {
    paced_mixer_plug(card, true)
    // Nothing tells that it is back: it is tried after a second.
    try bench.advance(by: .milliseconds(1100))
  }

  func end() {
    bench.stop()
    mixer.close()
  }
}

/// A control in virtual time: its descriptors, which a thread would poll, are polled when the world has done something.
private final class InlineMixer: MixerControl {
  private let mixer: ALSAMixer
  private var waker: DriverWaker?

  init(_ mixer: ALSAMixer) { self.mixer = mixer }

  func wakeIfReadable() {
    for descriptor in mixer.descriptors {
      var polled = pollfd(fd: descriptor.descriptor, events: descriptor.events, revents: 0)
      if poll(&polled, 1, 0) > 0 { waker?.wake() }
    }
  }

  var needsThread: Bool { false }
  func wake(with waker: DriverWaker) { self.waker = waker }
  func open(on clock: WorkClock) throws(DriverError) { try mixer.open(on: clock) }
  var descriptors: [PolledDescriptor] { mixer.descriptors }
  func read() throws(DriverError) -> MixerLevel { try mixer.read() }
  func write(_ level: MixerLevel) throws(DriverError) { try mixer.write(level) }
  func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)? { nil }
  func close() { mixer.close() }
}

/// The mixer of the kernel's `snd-dummy`, turned by `amixer` as well.
final class KernelMixerStand: MixerStand {
  let bench: Bench
  let mixer: any MixerControl = ALSAMixer(card: "hw:Dummy")

  init() throws(DriverError) {
    bench = Bench(loop: try MeasuredLoop())
  }

  var tolerance: Duration { .milliseconds(60) }
  var hasSwitch: Bool { false }

  func reason(against ability: Ability) -> String? { nil }

  func turn(left: Int, right: Int) throws { _ = try amixer("sset Master \(left)%,\(right)% >/dev/null") }

  func turn(to percent: Int, isMuted: Bool) throws { _ = try amixer("sset Master \(percent)% >/dev/null") }

  func seen() throws -> Int {
    // The first channel's line: "  Front Left: 20 [47%] [-39.00dB]".
    let text = try amixer("sget Master | sed -n 's/.*Left:.*\\[\\([0-9]*\\)%\\].*/\\1/p'")
    guard let percent = Int(text.prefix { $0.isNumber }) else { throw StandFailure("amixer says: \(text)") }
    return percent
  }

  private func amixer(_ words: String) throws -> String {
    guard let pipe = popen("amixer -D hw:Dummy -M \(words)", "r") else { throw StandFailure("popen: errno \(errno)") }
    var text = [CChar](repeating: 0, count: 256)
    _ = fgets(&text, 256, pipe)
    guard pclose(pipe) == 0 else { throw StandFailure("amixer \(words) failed") }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func unplug() throws { try KernelSoundStand.unplugDummy() }
  func plug() throws { try KernelSoundStand.plugDummy() }

  func end() throws {
    bench.stop()
    mixer.close()
    if access("/proc/asound/Dummy", F_OK) != 0 { try plug() }
  }
}
