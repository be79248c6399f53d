import CycleCore
import Glibc
import PacedPCM
import TestSupport

@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

/// libasound itself above an I/O plugin in this process, in virtual time.
final class PluginSoundStand: SoundStand {
  let bench = Bench()
  let card: any SoundCard
  private let device: OpaquePointer

  init(isRestricted: Bool) {
    device = paced_new()
    if isRestricted { paced_restrict(device, 48_000, 0) }
    card = PacedCard(device)
  }

  deinit { paced_free(device) }

  static let place = "libasound with a plugin"
  var tolerance: Duration { .zero }

  func reason(against ability: Ability) -> String? {
    ability == .interrupting ? "the player has no thread of its own" : nil
  }

  func listen(channelCount: Int, bits: Int) {
    // Who plays stereo may have mono as well.
    paced_restrict(device, 0, channelCount == 2 ? 0 : UInt32(channelCount))
    paced_widen(device, bits == 32)
  }

  func heard() -> [Int16] {
    var count = 0
    guard let samples = paced_samples(device, &count) else { return [] }
    let all = UnsafeBufferPointer(start: samples, count: count)
    return all.left(channelCount: Int(paced_channels(device))).sounding
  }

  func unplug() { paced_set_state(device, PACED_IS_GONE) }

  func plug() throws(DriverError) {
    paced_set_state(device, PACED_WORKS)
    // Nothing tells that it is back: it is tried after 0.25 s.
    try bench.advance(by: .milliseconds(600))
  }

  func hold(_ isHeld: Bool) { paced_refuse(device, isHeld ? EBUSY : 0) }

  func underrun() { paced_set_state(device, PACED_UNDERRUNS) }

  func suspend() { paced_set_state(device, PACED_SLEEPS) }
  func interrupt() {}
  func stall() { paced_set_state(device, PACED_STALLS) }

  func drift(_ millionths: Int, lump: Int) {
    paced_drift(device, Int32(millionths))
    paced_lump(device, UInt32(lump))
  }

  func endServer(_ isEnded: Bool) { paced_set_state(device, isEnded ? PACED_HAS_ENDED : PACED_WORKS) }
  func end() { bench.stop() }
}

/// A card of which the one device is the plugin.
private final class PacedCard: SoundCard {
  private let device: OpaquePointer

  init(_ device: OpaquePointer) {
    self.device = device
  }

  var needsThread: Bool { false }
  func makeSink() -> any PCMSink { PacedPluginSink(device) }
  func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)? { nil }
}

/// An ``ALSASink`` on the plugin, whose clock it sets with each call.
private final class PacedPluginSink: PCMSink {
  private let sink: ALSASink
  private let device: OpaquePointer

  init(_ device: OpaquePointer) {
    self.device = device
    sink = ALSASink(device: "paced") { pcm, _ in
      var handle: UnsafeMutableRawPointer?
      let code = paced_open(device, &handle)
      pcm = handle.map { OpaquePointer($0) }
      return code
    }
  }

  private func at(_ now: Moment) -> ALSASink {
    paced_set_time(device, now.nanoseconds)
    return sink
  }

  func open(_ wish: PCMPreferences, on clock: WorkClock) throws(DriverError) -> PCMConfiguration {
    try at(clock.now).open(wish, on: clock)
  }

  func status(at now: Moment) -> PCMStatus { at(now).status(at: now) }

  func write(_ samples: UnsafePointer<Float>, count: Int, at now: Moment) -> Int {
    at(now).write(samples, count: count, at: now)
  }

  func prepare(at now: Moment) -> Bool { at(now).prepare(at: now) }
  /// The clock is set by hand: there is nothing to be polled for.
  var descriptors: [PolledDescriptor] { [] }
  func drain(at now: Moment) { at(now).drain(at: now) }
  func close() { sink.close() }
}
