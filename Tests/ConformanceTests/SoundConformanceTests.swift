import CycleCore
import HardwareDrivers
import HardwareSimulation
import PacedPCM
import Testing

@Suite("What the driver of sound promises", .serialized)
struct SoundConformanceTests {
  @Test("in the simulation", arguments: (SoundCase.all + SoundCase.ofOtherCards).wanted(at: SimulatedSoundStand.place))
  func simulated(_ soundCase: SoundCase) {
    soundCase.run(
      at: SimulatedSoundStand.place, on: SimulatedSoundStand(isRestricted: soundCase.needs.contains(.restricting)))
  }

  @Test(
    "through libasound with a plugin", .enabled(if: paced_is_there()),
    arguments: (SoundCase.all + SoundCase.ofOtherCards).wanted(at: PluginSoundStand.place))
  func plugin(_ soundCase: SoundCase) {
    soundCase.run(
      at: PluginSoundStand.place, on: PluginSoundStand(isRestricted: soundCase.needs.contains(.restricting)))
  }

  @Test(
    "on the kernel", .enabled(if: KernelSoundStand.isThere), arguments: SoundCase.all.wanted(at: KernelLineStand.place))
  func kernel(_ soundCase: SoundCase) {
    soundCase.run(at: KernelLineStand.place, on: try KernelSoundStand(needs: soundCase.needs))
  }
}

@Suite("What the driver of mixers promises", .serialized)
struct MixerConformanceTests {
  @Test("in the simulation", arguments: (MixerCase.all + MixerCase.ofOtherCards).wanted(at: SimulatedSoundStand.place))
  func simulated(_ mixerCase: MixerCase) {
    mixerCase.run(
      at: SimulatedSoundStand.place, on: SimulatedMixerStand(hasSwitch: !mixerCase.needs.contains(.noSwitch)))
  }

  @Test(
    "through libasound with a plugin", .enabled(if: paced_is_there()),
    arguments: (MixerCase.all + MixerCase.ofOtherCards).wanted(at: PluginSoundStand.place))
  func plugin(_ mixerCase: MixerCase) {
    mixerCase.run(at: PluginSoundStand.place, on: PluginMixerStand())
  }

  @Test(
    "on the kernel", .enabled(if: KernelSoundStand.isThere), arguments: MixerCase.all.wanted(at: KernelLineStand.place))
  func kernel(_ mixerCase: MixerCase) {
    mixerCase.run(at: KernelLineStand.place, on: try KernelMixerStand())
  }
}

extension Case where Stand == any MixerStand {
  func run(at place: String, on stand: @autoclosure () throws -> any MixerStand) {
    run(at: place, on: stand, reason: { $0.reason(against: $1) }, end: { try $0.end() })
  }
}

extension Case where Stand == any SoundStand {
  func run(at place: String, on stand: @autoclosure () throws -> any SoundStand) {
    run(at: place, on: stand, reason: { $0.reason(against: $1) }, end: { try $0.end() })
  }
}

extension Case where Stand == any LineStand {
  func run(at place: String, on stand: @autoclosure () throws -> any LineStand) {
    run(at: place, on: stand, reason: { $0.reason(against: $1) }, end: { try $0.end() })
  }
}
