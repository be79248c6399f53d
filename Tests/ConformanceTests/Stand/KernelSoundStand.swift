import CycleCore
import Glibc

@testable import HardwareDrivers

/// A card of the kernel, in real time: `snd-aloop`, of which the other side is recorded, or `snd-dummy`, which can be taken away and
/// has one rate. Kernel documentation, `sound/designs` and `sound/alsa-configuration`.
final class KernelSoundStand: SoundStand {
  static let isThere = access("/proc/asound/Loopback", F_OK) == 0 && access("/proc/asound/Dummy", F_OK) == 0

  let bench: Bench
  let card: any SoundCard
  private let isLoopback: Bool
  private var recorder: Recorder?
  private var other: ALSASink?

  /// - Parameter needs: what the case needs of the card.
  init(needs: [Ability]) throws(DriverError) {
    bench = Bench(loop: try LinuxLoop())
    isLoopback = !needs.contains(.removing) && !needs.contains(.restricting)
    card = ALSACard(device: isLoopback ? "hw:Loopback,0,0" : "hw:Dummy")
  }

  var place: String { KernelLineStand.place }
  /// A buffer of 30 ms, and a slow machine.
  var tolerance: Duration { .milliseconds(100) }

  func reason(against ability: Ability) -> String? {
    switch ability {
    case .exactTime: "time is real"
    case .suspending: "the guest doesn't sleep"
    case .stalling: "its clock doesn't stop"
    default: nil
    }
  }

  func listen(channelCount: Int) throws {
    let recorder = try Recorder(channelCount: channelCount)
    self.recorder = recorder
    try bench.advance(by: .milliseconds(200))
  }

  func heard() throws -> [Int16] {
    guard let recorder else { return [] }
    return Self.withoutSilence(Self.left(try recorder.stop(), channelCount: recorder.channelCount))
  }

  func unplug() throws { try KernelFiles.write("snd_dummy.0", to: "/sys/bus/platform/drivers/snd_dummy/unbind") }
  func plug() throws { try KernelFiles.write("snd_dummy.0", to: "/sys/bus/platform/drivers/snd_dummy/bind") }

  func hold(_ isHeld: Bool) throws {
    if isHeld {
      let sink = ALSASink(device: "hw:Loopback,0,0")
      _ = try sink.open(PCMWish(), at: .zero)
      other = sink
    } else {
      other?.close()
      other = nil
    }
  }

  func underrun() throws { try KernelFiles.write("1", to: "/proc/asound/Loopback/pcm0p/sub0/xrun_injection") }
  func suspend() {}
  func stall() {}

  func end() throws {
    bench.stop()
    _ = try recorder?.stop()
    other?.close()
    if access("/proc/asound/Dummy", F_OK) != 0 { try plug() }
  }
}

/// The other side of the loopback: `arecord`, into a file.
private final class Recorder {
  let channelCount: Int
  private let path = "/tmp/heard-\(getpid()).raw"
  private var process = pid_t()
  private var samples: [Int16]?

  init(channelCount: Int) throws {
    self.channelCount = channelCount
    unlink(path)
    let words = [
      "arecord", "-q", "-D", "hw:Loopback,1,0", "-f", "S16_LE", "-r", "48000", "-c", "\(channelCount)", "-t", "raw",
      path,
    ]
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    // A loop blocks the signals that it waits for; the child has to hear its own.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let code = posix_spawnp(&process, "arecord", nil, &attributes, arguments, environ)
    guard code == 0 else { throw StandFailure("arecord can't be started: errno \(code)") }
    for _ in 0..<500 where try !isRunning() { usleep(10_000) }
    guard try isRunning() else { throw StandFailure("arecord doesn't record") }
  }

  private func isRunning() throws -> Bool {
    try KernelFiles.read("/proc/asound/Loopback/pcm1c/sub0/status").hasPrefix("state:")
      && KernelFiles.text("/proc/asound/Loopback/pcm1c/sub0/status").contains("RUNNING")
  }

  func stop() throws -> [Int16] {
    if let samples { return samples }
    kill(process, SIGINT)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    let bytes = try FileBytes.read(path)
    unlink(path)
    let all = stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
    samples = all
    return all
  }
}
