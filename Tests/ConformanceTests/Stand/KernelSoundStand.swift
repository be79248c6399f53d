import CycleCore
import Glibc
import TestSupport

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
    return try recorder.stop().left(channelCount: recorder.channelCount).sounding
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
