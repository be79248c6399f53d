import Testing

@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

@Suite("Volume as it is heard")
struct VolumeScaleTests {
  /// What `amixer -M sset Master 50%` made of it on the kernel's snd-dummy, -45 dB to 0 dB in steps of 0.3 dB.
  @Test(
    "as ALSA's own mixer program has it, to the step",
    arguments: [(0, -4500), (10, -3510), (25, -2490), (50, -1380), (75, -600), (90, -210), (100, 0)])
  func decibels(_ percent: Int, _ hundredths: Int) {
    let scale = VolumeScale(unit: .decibels(isSilentAtMinimum: false), minimum: -4500, maximum: 0)
    #expect(abs(scale.value(at: Double(percent) / 100) - hundredths) <= 30)
    #expect(abs(scale.volume(at: hundredths) - Double(percent) / 100) <= 0.01)
  }

  @Test(
    "there and back, and in order",
    arguments: [
      VolumeScale(unit: .steps, minimum: 0, maximum: 31),
      VolumeScale(unit: .decibels(isSilentAtMinimum: true), minimum: -9_999_999, maximum: 0),
      VolumeScale(unit: .decibels(isSilentAtMinimum: false), minimum: -12_750, maximum: 0),
      VolumeScale(unit: .decibels(isSilentAtMinimum: false), minimum: -1200, maximum: 600),
    ])
  func both(_ scale: VolumeScale) {
    var last = Int.min
    for percent in 0...100 {
      let value = scale.value(at: Double(percent) / 100)
      #expect(value >= last)
      last = value
      let step = scale.unit == .steps ? 0.5 / 31 : 0.001
      #expect(abs(scale.volume(at: value) - Double(percent) / 100) <= step + 1e-9)
    }
    #expect(scale.value(at: 0) == scale.minimum)
    #expect(scale.value(at: 1) == scale.maximum)
    #expect(scale.value(at: -3) == scale.minimum)
    #expect(scale.value(at: .nan) == scale.minimum)
    #expect(scale.value(at: .infinity) == scale.maximum)
  }

  @Test("a range of nothing is always at its end")
  func nothing() {
    let scale = VolumeScale(unit: .steps, minimum: 5, maximum: 5)
    #expect(scale.volume(at: 5) == 1)
    #expect(scale.value(at: 0.3) == 5)
  }
}
