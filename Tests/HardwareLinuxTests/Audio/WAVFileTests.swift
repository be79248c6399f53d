import CycleCore
import Glibc
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

@Suite("A WAV file as a sound device")
struct WAVFileTests {
  private func writer(
    _ path: String, write: @escaping WAVWriter.Writing = { pwrite($0, $1, $2, off_t($3)) }
  ) throws(DriverError) -> WAVWriter {
    try WAVWriter(path: path, channelCount: 1, sampleRateHertz: 48_000, write: write)
  }

  private func write(_ samples: [Int16], to writer: WAVWriter) throws {
    let failure = samples.withUnsafeBufferPointer { buffer -> DriverError? in
      do throws(DriverError) { try writer.write(buffer) } catch { return error }
      return nil
    }
    if let failure { throw failure }
  }

  /// What the header says of the samples, in bytes.
  private func claimedSize(_ path: String) throws -> Int {
    let header = try #require(bytes(of: path))
    return (0..<4).reduce(0) { $0 | Int(header[40 + $1]) << (8 * $1) }
  }

  private func error(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "a period that is wished too large, or too small, is the nearest that can be played",
    arguments: [(9600, 8192), (0, 1)])
  func periods(wished: Int, given: Int) throws {
    try withFiles { folder in
      var wish = PCMPreferences()
      wish.periodSize = wished
      let sink = WAVFileCard(path: "\(folder)/long.wav").makeSink()
      let configuration = try sink.open(wish, on: WorkClock(at: .zero))
      #expect(configuration.periodSize == given)
      #expect(configuration.bufferSize == 3 * given)
      sink.close()
    }
  }

  @Test("a program that is killed leaves a header that is at most a second behind")
  func killed() throws {
    try withFiles { folder in
      let writer = try writer("\(folder)/out.wav")
      for _ in 0..<250 { try write([Int16](repeating: 7, count: 480), to: writer) }
      #expect(try claimedSize("\(folder)/out.wav") == 2 * 2 * 48_000)
      try writer.finish()
      #expect(try claimedSize("\(folder)/out.wav") == 2 * 120_000)
    }
  }

  @Test("a FIFO, which would hold the program up for ever, is refused, read and written; so is a device")
  func noFile() throws {
    withFiles { folder in
      mkfifo("\(folder)/fifo.wav", 0o600)
      symlink("/dev/full", "\(folder)/full.wav")
      for name in ["fifo.wav", "full.wav"] {
        let path = "\(folder)/\(name)"
        #expect(
          error { _ = try writer(path) }
            == "cannot write \(path): not a regular file. Name a file; a new one is created.")
        #expect(
          error { _ = try Clip(contentsOf: path) } == "cannot read \(path): not a regular file. Name a sound file.")
      }
      // With somebody at its other end a FIFO can be opened, and is no file all the same.
      let reader = open("\(folder)/fifo.wav", O_RDONLY | O_NONBLOCK)
      #expect(error { _ = try writer("\(folder)/fifo.wav") }.contains("not a regular file"))
      close(reader)
    }
  }

  @Test("a symbolic link is followed, and what is in its file is replaced")
  func link() throws {
    try withFiles(["old.wav": String(repeating: "x", count: 100)]) { folder in
      symlink("old.wav", "\(folder)/link.wav")
      let writer = try writer("\(folder)/link.wav")
      try write([1], to: writer)
      try writer.finish()
      #expect(bytes(of: "\(folder)/old.wav")?.count == 46)
    }
  }

  @Test("a write that takes nothing is an error, whatever errno says")
  func nothingTaken() throws {
    withFiles { folder in
      var calls = 0
      let text = error {
        _ = try writer("\(folder)/out.wav") { _, _, count, _ in
          calls += 1
          errno = EINTR
          return calls < 1000 ? 0 : count
        }
      }
      #expect(
        text
          == "cannot write \(folder)/out.wav: the file accepts no more data. Check the folder, its permissions and the free space."
      )
    }
  }

  @Test("at 4 GiB the file is full, and stays so")
  func fourGibibytes() throws {
    try withFiles { folder in
      let writer = try writer("\(folder)/out.wav") { _, _, count, _ in count }
      let block = [Int16](repeating: 0, count: 1 << 20)
      for _ in 0..<2047 { try write(block, to: writer) }
      let full = "cannot write \(folder)/out.wav: a WAV file holds at most 4 GiB. Record a shorter time."
      #expect(error { try write(block, to: writer) } == full)
      // There is room for less than a block yet.
      #expect(error { try write([1], to: writer) } == "no error")
      for _ in 0..<15 { try write([Int16](repeating: 0, count: 1 << 16), to: writer) }
      try write([Int16](repeating: 0, count: 40_000), to: writer)
      #expect(error { try writer.checkRoom() } == full)
    }
  }

  /// A disk that is full for as long as a test wants.
  private final class Disk {
    var isFull = false

    func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int, _ offset: Int) -> Int {
      // What has been written may be written over.
      guard isFull, offset >= 44 else { return pwrite(descriptor, bytes, count, off_t(offset)) }
      errno = ENOSPC
      return -1
    }
  }

  /// A card that writes on such a disk.
  private final class DiskCard: SoundCard {
    let disk = Disk()
    private let path: String

    init(_ path: String) { self.path = path }

    var needsThread: Bool { false }

    func makeSink() -> any PCMSink {
      WAVFileSink { [disk, path] (configuration) throws(DriverError) in
        try WAVWriter(
          path: path, channelCount: configuration.channelCount, sampleRateHertz: configuration.sampleRateHertz,
          write: disk.write)
      }
    }

    func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)? { nil }
  }

  @Test("a full disk is told once, and is restored when there is room again; the file is whole")
  func fullDisk() throws {
    try withFiles { folder in
      let card = DiskCard("\(folder)/out.wav")
      let bench = Bench()
      let trial = DriverBench(AudioPlayer(card), showing: [.tone(hertz: 440, key: "a")], on: bench)
      try trial.start()
      try bench.advance(by: .seconds(1))
      card.disk.isFull = true
      try bench.advance(by: .seconds(60))
      #expect(trial.events.map(\.event) == [.started("a"), .finished("a", .lost)])
      #expect(trial.troubles.count == 1)
      card.disk.isFull = false
      try bench.advance(by: .seconds(30))
      #expect(trial.events.map(\.event) == [.started("a"), .finished("a", .lost), .started("a")])
      #expect(trial.troubles.last == .restored)
      #expect(trial.troubles.count == 2)
      trial.stop()
      #expect(try Clip(contentsOf: "\(folder)/out.wav").duration > .seconds(15))
    }
  }

  @Test("a file's structure is judged as reading it would, without reading its samples")
  func check() throws {
    let long = WAVBytes.chunk("junk", [UInt8](repeating: 7, count: 150_000))
    let good = WAVBytes(channelCount: 2).bytes
    let files: [[UInt8]] = [
      good, Array(good[..<12]) + long + Array(good[12...]), Array(good[..<12]) + long, WAVBytes(channelCount: 3).bytes,
      Array(good.prefix(20)), [],
      Array(good.prefix(12)),
    ]
    try withFiles { folder in
      for (number, bytes) in files.enumerated() {
        let path = "\(folder)/\(number).wav"
        let file = try #require(fopen(path, "w"))
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        var read: DriverError?
        var checked: DriverError?
        do throws(DriverError) { _ = try Clip(contentsOf: path) } catch { read = error }
        do throws(DriverError) { try SoundFile(path).check() } catch { checked = error }
        #expect(read == checked)
        #expect((read == nil) == (number < 2))
      }
    }
  }

  @Test("a check refuses a file without a single sample, which would be silent")
  func checkedEmpty() throws {
    try withFiles { folder in
      let path = "\(folder)/empty.wav"
      let file = try #require(fopen(path, "w"))
      fwrite(WAVBytes().bytes, 1, WAVBytes().bytes.count, file)
      fclose(file)
      try SoundFile(path).check()
      let error = driverError { try SoundFile(path).check(isHeard: true) }
      #expect(
        error.map { "\($0)" }
          == "cannot read \(path): there are no samples in it. Record it again, or use another file.")
    }
  }

  @Test("only a file that is read whole must fit into memory, and a day is the most of any")
  func longFiles() throws {
    try withFiles { folder in
      // The size of the samples in the header; the file itself is nearly empty on the disk.
      func make(_ name: String, seconds: Int) throws -> String {
        let path = "\(folder)/\(name)"
        let header = WAVBytes(sampleRateHertz: 1_000, bits: 8, claimedSize: seconds * 1_000).bytes
        let file = try #require(fopen(path, "w"))
        fwrite(header, 1, header.count, file)
        #expect(ftruncate(fileno(file), header.count + seconds * 1_000) == 0)
        fclose(file)
        return path
      }
      let path = try make("hours.wav", seconds: 20_000)
      try SoundFile(path).check(isHeard: true)
      let error = driverError { try SoundFile(path, isStreamed: false).check() }
      #expect(error?.reason == "20000 s are too long: it needs 1831 MB; the limit is 256 MB")
      let day = try make("day.wav", seconds: 86_401)
      #expect(driverError { try SoundFile(day).check() }?.reason == "it is longer than 24 hours")
    }
  }

  @Test("a file that has changed is another one, and a copy of the same age is the same")
  func versions() throws {
    try withFiles { folder in
      let path = "\(folder)/a.wav"
      func write(_ data: [UInt8], at second: Int) throws {
        let file = try #require(fopen(path, "w"))
        let bytes = WAVBytes(data: data).bytes
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        var times = [timeval(tv_sec: second, tv_usec: 0), timeval(tv_sec: second, tv_usec: 0)]
        #expect(utimes(path, &times) == 0)
      }
      try write([1, 0], at: 1_000)
      let first = SoundFile(path)
      #expect(SoundFile(path) == first && SoundFile(path, isStreamed: true) != first)
      try write([1, 0], at: 1_000)
      #expect(SoundFile(path) == first)
      try write([1, 0], at: 1_001)
      #expect(SoundFile(path) != first)
      try write([1, 0, 2, 0], at: 1_000)
      #expect(SoundFile(path) != first)
    }
  }
}
