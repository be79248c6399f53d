import CycleCore
import HardwareDrivers
import HardwareSimulation

/// A sound device for the program, and the world around it.
protocol SoundStand: AnyObject {
  var bench: Bench { get }
  var card: any SoundCard { get }
  /// What to ask of the device.
  var wish: PCMPreferences { get }
  /// How late something may be noticed.
  var tolerance: Duration { get }

  /// Why the stand can't do this; nil if it can.
  func reason(against ability: Ability) -> String?

  /// Somebody listens from here on, to so many channels: the device has neither more nor fewer, and samples of so many
  /// bits.
  func listen(channelCount: Int, bits: Int) throws
  /// The left channel of what came out, from the first sample that isn't silence on, without the silence at the end.
  func heard() throws -> [Int16]
  /// Takes the device away and brings it back.
  func unplug() throws
  func plug() throws
  /// Another program takes the device; nil gives it back.
  func hold(_ isHeld: Bool) throws
  /// Has the device run out of samples.
  func underrun() throws
  /// The machine sleeps for a moment.
  func suspend() throws
  /// A signal interrupts every call that some thread of this program waits in.
  func interrupt() throws
  /// Has the position stand still.
  func stall() throws
  /// Gives the device a clock that is this many millionths faster, and has it take this many sample frames at a time.
  func drift(_ millionths: Int, lump: Int) throws
  /// Kills the sound server, or starts it again.
  func endServer(_ isEnded: Bool) throws
  /// What every case ends with.
  func end() throws
}

extension SoundStand {
  var wish: PCMPreferences { PCMPreferences() }

  func drift(_ millionths: Int, lump: Int) {}
  func endServer(_ isEnded: Bool) {}

  func listen(channelCount: Int) throws { try listen(channelCount: channelCount, bits: 16) }

  func pass(_ milliseconds: Int = 0) throws(DriverError) {
    try bench.advance(by: .milliseconds(milliseconds) + tolerance)
  }
}
