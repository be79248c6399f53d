import TestSupport
import Testing

@testable import CycleCore
@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Sounds that a worker prepares")
struct SoundLibraryTests {
  /// The work, with the reports that it has made.
  private final class Desk {
    private var work = SoundFileWork()
    private let context: WorkContext<SoundFileWork>
    /// The sounds in the order in which they were ready, by the number in their path or their length.
    private(set) var ready: [String] = []
    private(set) var results: [Result<PreparedSound, DriverError>] = []
    private let commands: SPSCQueue<SoundFileWork.Command>

    init() {
      final class Sink { var take: (SoundFileWork.Report) -> Void = { _ in } }
      let sink = Sink()
      context = WorkContext(clock: WorkClock(at: .zero)) { report, _ in
        sink.take(report)
        return true
      }
      commands = context.commands
      sink.take = { [unowned self] report in
        guard case .prepared(let preparation, let result) = report else { return }
        ready.append(preparation.name)
        results.append(result)
      }
    }

    func prepare(_ source: AudioPlayer.Sound.Source, rate: Int = 48_000, isUrgent: Bool = false) {
      _ = commands.push(.prepare(SoundPreparation(source: source, rate: rate, isUrgent: isUrgent)))
    }

    func step() { _ = work.step(in: context) }

    func finish() { for _ in 0..<1_000 { step() } }
  }

  private func disk(seconds: Int, rate: Int = 44_100) -> SlowDisk {
    let disk = SlowDisk([Int16](repeating: 100, count: seconds * rate), sampleRateHertz: rate)
    disk.readingTime = .milliseconds(1)
    return disk
  }

  @Test("what is asked for is ready before everything else, and the rest in its order")
  func urgent() {
    let desk = Desk()
    let disks = (0..<6).map { _ in disk(seconds: 5) }
    for (number, disk) in disks.enumerated() { desk.prepare(.file(disk.file("\(number)"))) }
    // The first one has begun when the sixth is asked for.
    for _ in 0..<10 { desk.step() }
    #expect(desk.ready == [])
    desk.prepare(.file(disks[5].file("5")), isUrgent: true)
    desk.finish()
    #expect(desk.ready == ["5", "0", "1", "2", "3", "4"])
    #expect(disks.allSatisfy { $0.openings.count == 1 })
  }

  @Test("a file of up to 10 s is ready whole, and of a longer one 500 ms")
  func lengths() throws {
    let desk = Desk()
    desk.prepare(.file(disk(seconds: 10).file("10")))
    desk.prepare(.file(disk(seconds: 11).file("11")))
    desk.prepare(.file(disk(seconds: 10).file("streamed", isStreamed: true)))
    desk.prepare(.file(disk(seconds: 11).file("whole", isStreamed: false)))
    desk.finish()
    let forms = desk.results.map { result in
      switch result {
      case .success(.clip(let clip)): "clip \(clip.length)"
      case .success(.beginning(let clip)): "beginning \(clip.length)"
      case .failure(let error): "\(error)"
      }
    }
    #expect(forms == ["clip 480000", "beginning 24000", "beginning 24000", "clip 528000"])
  }

  @Test("a short file is ready whole, also if it is to be streamed")
  func shortStream() {
    let desk = Desk()
    let short = SlowDisk([Int16](repeating: 100, count: 28_000))
    desk.prepare(.file(short.file(isStreamed: true)))
    desk.finish()
    guard case .success(.clip(let clip)) = desk.results.first else {
      Issue.record("\(desk.results)")
      return
    }
    #expect(clip.length == 28_000)
  }

  @Test("a clip of another rate is converted as a whole, and what is too large is refused before")
  func clips() {
    let desk = Desk()
    desk.prepare(
      .clip(Clip(samples: [Int16](repeating: 100, count: 441), channelCount: 1, sampleRateHertz: 44_100)))
    desk.prepare(
      .clip(Clip(samples: [Int16](repeating: 0, count: 300_000), channelCount: 1, sampleRateHertz: 1_000)),
      rate: 768_000)
    desk.finish()
    guard case .success(.clip(let clip)) = desk.results.first, case .failure(let error) = desk.results.last else {
      Issue.record("\(desk.results)")
      return
    }
    #expect(clip.length == 480 && clip.sampleRateHertz == 48_000)
    #expect(
      "\(error)"
        == "cannot convert a sound of 300 s to 768000 Hz: it needs 439 MB; the limit is 256 MB. "
        + "Cut the sound, or play it at a lower rate.")
  }

  @Test("a file that is not there is refused, and one that is longer than it declares is read to its end")
  func wrongFiles() {
    let desk = Desk()
    let gone = disk(seconds: 1)
    gone.isGone = true
    let longer = disk(seconds: 2, rate: 48_000)
    longer.declaredLength = 100
    let shorter = disk(seconds: 2, rate: 48_000)
    shorter.cutPlace = 5_000
    desk.prepare(.file(gone.file("gone")))
    desk.prepare(.file(longer.file("longer")))
    desk.prepare(.file(shorter.file("shorter")))
    desk.finish()
    #expect(desk.ready == ["gone", "longer", "shorter"])
    guard case .failure(let error) = desk.results[0], case .success(let long) = desk.results[1],
      case .success(let short) = desk.results[2]
    else {
      Issue.record("\(desk.results)")
      return
    }
    #expect(error.reason == "no such file")
    #expect(long.clip.length == 96_000 && short.clip.length == 5_000)
  }

  @Test("wherever a conversion begins, it makes the samples of the whole", arguments: [44_100, 8_000, 96_000, 47_999])
  func places(rate: Int) throws {
    var generator = SeededGenerator(seed: 77)
    let samples = (0..<rate).map { _ in Int16.random(in: -20_000...20_000, using: &generator) }
    let clip = Clip(samples: samples, channelCount: 1, sampleRateHertz: rate)
    let whole = try clip.resampled(to: 48_000)
    for _ in 0..<30 {
      let place = Int.random(in: 0..<whole.length, using: &generator)
      let pieces = SoundPieces(ClipReader(clip), with: Resampler(from: rate, to: 48_000))
      try pieces.begin(at: place)
      var result: [Int16] = []
      while try pieces.next(to: &result) {}
      #expect(result == Array(whole.samples[place...]), "from \(place)")
    }
  }
}

extension SoundPreparation {
  fileprivate var name: String {
    switch source {
    case .file(let file): file.path
    case .clip(let clip): "\(clip.length)"
    case .tone: "tone"
    }
  }
}
