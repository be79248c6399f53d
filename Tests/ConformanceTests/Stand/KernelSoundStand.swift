import CycleCore
import Glibc
import TestSupport

@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

/// A card of the kernel, in real time.
///
/// **Source.** Kernel documentation, `sound/alsa-configuration` and `sound/cards/pcmtest`.
final class KernelSoundStand: SoundStand {
  static let isThere = Card.allCases.allSatisfy { access("/proc/asound/\($0.rawValue)", F_OK) == 0 }

  private enum Card: String, CaseIterable {
    /// What is played comes out of its other side.
    case loopback = "Loopback"
    /// Can be taken away, and has one rate.
    case dummy = "Dummy"
    /// Moves five times a second, unless it is told to stand still.
    case test = "pcmtest"

    init(for needs: [Ability]) {
      self =
        needs.contains(.stalling)
        ? .test : needs.contains(.removing) || needs.contains(.restricting) ? .dummy : .loopback
    }
  }

  let bench: Bench
  let card: any SoundCard
  private let kind: Card
  private var recorder: Recorder?
  private var other: ALSASink?

  /// - Parameter needs: what the case needs of the card.
  init(needs: [Ability]) throws(DriverError) {
    bench = Bench(loop: try MeasuredLoop())
    kind = Card(for: needs)
    card = ALSACard(device: "hw:\(kind.rawValue),0,0")
  }

  var wish: PCMPreferences {
    var wish = PCMPreferences()
    if kind == .test { (wish.periodSize, wish.periodCount) = (8192, 4) }
    return wish
  }

  /// A buffer of 30 ms, or a step of the test card, and a machine that is emulated beside others.
  var tolerance: Duration { .milliseconds(300) }

  func reason(against ability: Ability) -> String? {
    switch ability {
    case .exactTime: "time is real"
    // It is for the machine's owner to say; and a guest whose files are another machine's doesn't survive it.
    case .suspending: getenv("LAB_CAN_SLEEP") == nil ? "LAB_CAN_SLEEP isn't set: the machine stays awake" : nil
    default: nil
    }
  }

  func listen(channelCount: Int, bits: Int) throws {
    let recorder = try Recorder(channelCount: channelCount, bits: bits)
    self.recorder = recorder
    try bench.advance(by: .milliseconds(200))
  }

  func heard() throws -> [Int16] {
    guard let recorder else { return [] }
    return try recorder.stop().left(channelCount: recorder.channelCount).sounding
  }

  /// The kernel waits until everybody has closed the card, so somebody else waits for it.
  static func unplugDummy() throws {
    let unbind = "(echo snd_dummy.0 >/sys/bus/platform/drivers/snd_dummy/unbind) >/dev/null 2>&1 &"
    guard let pipe = popen(unbind, "r"), pclose(pipe) == 0 else { throw StandFailure("unbind can't be started") }
  }

  static func plugDummy() throws {
    try KernelFiles.write("snd_dummy.0", to: "/sys/bus/platform/drivers/snd_dummy/bind")
  }

  func unplug() throws { try Self.unplugDummy() }
  func plug() throws { try Self.plugDummy() }

  func hold(_ isHeld: Bool) throws {
    if isHeld {
      let sink = ALSASink(device: "hw:Loopback,0,0")
      _ = try sink.open(PCMPreferences(), on: WorkClock(at: .zero))
      other = sink
    } else {
      other?.close()
      other = nil
    }
  }

  func underrun() throws { try KernelFiles.write("1", to: "/proc/asound/Loopback/pcm0p/sub0/xrun_injection") }
  func suspend() throws {
    // Devices are put to sleep and woken again after a second, without the machine itself.
    try KernelFiles.write("devices", to: "/sys/power/pm_test")
    try KernelFiles.write("freeze", to: "/sys/power/state")
  }

  func interrupt() throws {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    // Without SA_RESTART: calls that wait return with EINTR.
    guard sigaction(SIGUSR2, &action, nil) == 0 else { throw StandFailure("sigaction: errno \(errno)") }
    typealias Kill = @convention(c) (pid_t, pid_t, Int32) -> Int32
    let kill = unsafeBitCast(dlsym(nil, "tgkill"), to: Kill.self)
    for thread in names(in: "/proc/self/task") { _ = kill(getpid(), pid_t(thread) ?? 0, SIGUSR2) }
  }

  private static let delay = "/sys/module/snd_pcmtest/parameters/inject_delay"

  /// Its next step but one comes in a quarter of an hour.
  func stall() throws { try KernelFiles.write("1000000", to: Self.delay) }

  func end() throws {
    bench.stop()
    _ = try recorder?.stop()
    other?.close()
    if kind == .test { try KernelFiles.write("0", to: Self.delay) }
    if access("/proc/asound/Dummy", F_OK) != 0 { try plug() }
  }
}
