import CycleCore
import HardwareDrivers
import Testing

@Suite("What the driver of sound promises", .serialized)
struct SoundConformanceTests {
  @Test("in the simulation", arguments: SoundCase.all.filter(\.isWanted))
  func simulated(_ soundCase: SoundCase) throws {
    try soundCase.run(on: SimulatedSoundStand(isRestricted: soundCase.needs.contains(.restricting)))
  }

  @Test("through libasound with a plugin", arguments: SoundCase.all.filter(\.isWanted))
  func plugin(_ soundCase: SoundCase) throws {
    try soundCase.run(on: PluginSoundStand(isRestricted: soundCase.needs.contains(.restricting)))
  }

  @Test("on the kernel", .enabled(if: KernelSoundStand.isThere), arguments: SoundCase.all.filter(\.isWanted))
  func kernel(_ soundCase: SoundCase) throws {
    try soundCase.run(on: KernelSoundStand(needs: soundCase.needs))
  }
}

@Suite("What the driver of mixers promises", .serialized)
struct MixerConformanceTests {
  @Test("in the simulation", arguments: MixerCase.all.filter(\.isWanted))
  func simulated(_ mixerCase: MixerCase) throws {
    try mixerCase.run(on: SimulatedMixerStand())
  }

  @Test("through libasound with a plugin", arguments: MixerCase.all.filter(\.isWanted))
  func plugin(_ mixerCase: MixerCase) throws {
    try mixerCase.run(on: PluginMixerStand())
  }

  @Test("on the kernel", .enabled(if: KernelSoundStand.isThere), arguments: MixerCase.all.filter(\.isWanted))
  func kernel(_ mixerCase: MixerCase) throws {
    try mixerCase.run(on: KernelMixerStand())
  }
}

extension Case where Stand == any MixerStand {
  func run(on stand: any MixerStand) throws {
    try run(on: stand, place: stand.place, reason: { _ in nil }, end: stand.end)
  }
}

extension Case where Stand == any SoundStand {
  func run(on stand: any SoundStand) throws {
    try run(on: stand, place: stand.place, reason: stand.reason, end: stand.end)
  }
}

extension Case where Stand == any LineStand {
  func run(on stand: any LineStand) throws {
    try run(on: stand, place: stand.place, reason: stand.reason, end: stand.end)
  }
}
