import CycleCore
import HardwareDrivers
import HardwareSimulation
import TestSupport

/// A card in memory, in virtual time.
final class SimulatedSoundStand: SoundStand {
  let bench = Bench()
  let simulated = SimulatedCard()
  private var channelCount = 2

  init(isRestricted: Bool) {
    if isRestricted { simulated.onlyRateHertz = 48_000 }
  }

  static let place = SimulatedLineStand.place
  var card: any SoundCard { simulated }
  var tolerance: Duration { .zero }

  func reason(against ability: Ability) -> String? {
    switch ability {
    case .formats: "a simulated device has 16 bits"
    case .ending: "a simulated device has no sound server"
    case .interrupting: "the player has no thread of its own"
    default: nil
    }
  }

  func listen(channelCount: Int, bits: Int) {}

  func heard() -> [Int16] {
    if let configuration = simulated.configuration { channelCount = configuration.channelCount }
    return simulated.samples.left(channelCount: channelCount).sounding
  }

  func unplug() { simulated.unplug() }
  func plug() { simulated.plug() }
  func hold(_ isHeld: Bool) { simulated.holder = isHeld ? "aplay" : nil }
  func underrun() { simulated.underrun() }
  func suspend() { simulated.suspend() }
  func interrupt() {}
  func stall() { simulated.isStalled = true }
  func drift(_ millionths: Int, lump: Int) { (simulated.driftPPM, simulated.quantum) = (millionths, max(1, lump)) }
  func end() { bench.stop() }
}
