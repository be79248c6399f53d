import CycleCore

@testable import HardwareDrivers

/// A sound file on a disk that takes its time, and that fails.
final class SlowDisk: @unchecked Sendable {
  let samples: [Int16]
  let channelCount: Int
  let sampleRateHertz: Int
  /// The time that opening the file takes, and each reading.
  var openingTime = Duration.zero
  var readingTime = Duration.zero
  /// The length in sample frames that the file declares; nil for its own.
  var declaredLength: Int?
  /// The sample frame from which on the disk fails.
  var failingPlace: Int?
  /// The sample frame at which the file ends, although it declares more.
  var cutPlace: Int?
  var isGone = false
  /// What was opened, with the moments.
  private(set) var openings: [Moment] = []

  init(_ samples: [Int16], channelCount: Int = 1, sampleRateHertz: Int = 48_000) {
    (self.samples, self.channelCount, self.sampleRateHertz) = (samples, channelCount, sampleRateHertz)
  }

  var length: Int { samples.count / channelCount }

  func file(_ path: String = "a.wav", isStreamed: Bool? = nil) -> SoundFile {
    SoundFile(path, isStreamed: isStreamed) { (clock: WorkClock) throws(DriverError) in
      clock.sleep(for: self.openingTime)
      self.openings.append(clock.now)
      guard !self.isGone else { throw Self.fault(.absent, "no such file") }
      return Reader(self, clock)
    }
  }

  private static func fault(_ kind: DriverError.Kind, _ reason: String) -> DriverError {
    DriverError(kind, of: "a.wav", cannot: "read a.wav", reason: reason, remedy: "Check the file.")
  }

  private final class Reader: SampleReader {
    private let disk: SlowDisk
    private let clock: WorkClock
    private var position = 0

    init(_ disk: SlowDisk, _ clock: WorkClock) { (self.disk, self.clock) = (disk, clock) }

    var channelCount: Int { disk.channelCount }
    var sampleRateHertz: Int { disk.sampleRateHertz }
    var length: Int { disk.declaredLength ?? disk.length }

    func read(into samples: UnsafeMutablePointer<Int16>, count: Int) throws(DriverError) -> Int {
      clock.sleep(for: disk.readingTime)
      let end = min(disk.length, disk.cutPlace ?? .max)
      var taken = max(0, min(count, end - position))
      if let failing = disk.failingPlace {
        if position >= failing { throw SlowDisk.fault(.failed, "the disk fails") }
        taken = min(taken, failing - position)
      }
      for index in 0..<taken * channelCount { samples[index] = disk.samples[position * channelCount + index] }
      position += taken
      return taken
    }

    func move(to sampleFrame: Int) { position = sampleFrame }
  }
}
