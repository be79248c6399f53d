import Testing

@testable import CycleCore
@testable import HardwareDrivers

@Suite("Devices with a clock of their own")
struct PacingTests {
  /// A device whose clock differs from the caller's, or that takes many samples at a time.
  private final class Device: ClockedPCMSink {
    var drift = 0
    var lump = 1
    /// Whether its descriptor is ready all the time, as that of PipeWire's plugin.
    var isAlwaysReady = false
    private(set) var frames = 0
    private(set) var last: Int16?
    /// The number of sample frames that don't follow the one before in the sound.
    private(set) var gaps = 0

    override var driftPPM: Int { drift }
    override var quantum: Int { lump }
    override var descriptors: [PolledDescriptor] { isAlwaysReady ? [PolledDescriptor(descriptor: 0, events: 4)] : [] }

    override func consume(_ samples: UnsafeBufferPointer<Int16>, at moment: Moment) {
      for sample in samples {
        if let last, sample != last % PacingTests.period + 1 { gaps += 1 }
        last = sample
      }
      frames += samples.count
    }
  }

  /// The number of sample frames after which the sound repeats: 1, 2, 3 and so on.
  private static let period: Int16 = 300

  /// Plays a sound for some seconds on a device with one channel at 48 kHz.
  private func play(_ device: Device, seconds: Int) -> (underruns: Int, steps: Int) {
    var wish = PCMPreferences()
    wish.channelCount = 1
    let loop = PlaybackLoop(device, wish: wish)
    let clock = WorkClock(at: .zero)
    let context = WorkContext<PlaybackLoop>(clock: clock) { _, _ in true }
    let clip = Clip(samples: Array(1...Self.period), channelCount: 1, sampleRateHertz: 48_000)
    var command = VoiceCommand(.start, slot: 0, generation: 1)
    (command.samples, command.length, command.gain, command.isLooping) = (clip.baseAddress, Int32(clip.length), 1, true)
    context.commands.push(command)
    let end = Moment.zero + .seconds(seconds)
    var steps = 0
    while clock.now < end {
      let wait = loop.step(in: context)
      steps += 1
      // A descriptor that is ready wakes the worker at once.
      if wait.pollsDescriptors, device.isAlwaysReady {
        clock.sleep(for: .microseconds(20))
      } else if let deadline = wait.deadline, deadline > clock.now {
        clock.sleep(for: deadline - clock.now)
      }
    }
    return withExtendedLifetime(clip) { (loop.state.underruns, steps) }
  }

  @Test(
    "a device that is a little faster or slower than the machine plays without a gap",
    arguments: [300, -300, 1_000, -1_000])
  func drift(ppm: Int) {
    let device = Device()
    device.drift = ppm
    let seconds = 120
    let (underruns, steps) = play(device, seconds: seconds)
    #expect(underruns == 0 && device.gaps == 0)
    #expect(steps <= seconds * 101 + 10, "\(steps) steps")
    let played = seconds * 48_000
    let expected = played + played * ppm / 1_000_000
    #expect((expected...expected + 1_440).contains(device.frames), "\(device.frames) instead of \(expected)")
  }

  @Test(
    "a device that takes 1024 sample frames at a time plays without a gap, and a descriptor that is always ready is not polled",
    arguments: [true, false])
  func lumps(isAlwaysReady: Bool) {
    let device = Device()
    device.lump = 1_024
    device.isAlwaysReady = isAlwaysReady
    let (underruns, steps) = play(device, seconds: 10)
    #expect(underruns == 0 && device.gaps == 0)
    // A little more than two checks for each of the 469 times that it takes samples.
    #expect(steps <= 1_050, "\(steps) steps")
  }
}
