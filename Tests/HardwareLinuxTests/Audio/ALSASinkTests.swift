import CycleCore
import Glibc
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

/// libasound itself, on plugins that need no card: `file` over `null`.
@Suite("Playing through libasound", .serialized)
struct ALSASinkTests {
  /// A folder of the test's own, gone afterwards.
  private func withFolder<Value>(_ body: (String) throws -> Value) throws -> Value {
    var name = Array("/tmp/alsa-tests-XXXXXX".utf8CString)
    try #require(mkdtemp(&name) != nil)
    let folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
      unlink("\(folder)/out.raw")
      rmdir(folder)
    }
    return try body(folder)
  }

  private func samples(in path: String) throws -> [Int16] {
    TestSupport.samples(try #require(bytes(of: path)))
  }

  private func error(_ device: String) -> DriverError? {
    do {
      _ = try ALSASink(device: device).open(PCMPreferences(), on: WorkClock(at: .zero))
      return nil
    } catch {
      return error
    }
  }

  @Test("what is written through libasound is what comes out, to the last sample")
  func exact() throws {
    try withFolder { folder in
      let sink = ALSASink(device: "file:'\(folder)/out.raw',raw")
      let configuration = try sink.open(PCMPreferences(), on: WorkClock(at: .zero))
      #expect(
        configuration
          == PCMConfiguration(sampleRateHertz: 48_000, channelCount: 2, periodSize: 480, bufferSize: 1440))
      let written = (0..<9600).map { Int16(truncatingIfNeeded: $0 &* 7919) }
      var place = 0
      while place < written.count {
        let samples = written[place...].map { Float($0) / 32_768 }
        let count = sink.write(samples, count: min(480, samples.count / 2), at: .zero)
        try #require(count > 0)
        place += 2 * count
      }
      sink.close()
      #expect(try samples(in: "\(folder)/out.raw") == written)
    }
  }

  @Test("a clip played on a thread of its own comes out whole, and its start and its end are told")
  func player() throws {
    try withFolder { folder in
      let clip = Clip(
        samples: (1...2400).map { Int16(min($0, 2401 - $0)) }, channelCount: 1, sampleRateHertz: 48_000)
      let cycle = Cycle(seed: [AudioPlayer.Event]()) {
        Lens(
          AudioPlayer(ALSACard(device: "file:'\(folder)/out.raw',raw")), show: { _ in [.clip(clip, key: "a")] },
          on: { frame, event in frame.append(event) })
      }
      let bench = Bench(loop: try LinuxLoop())
      try bench.run(cycle)
      // In real time: the clip lasts 50 ms.
      let end = bench.now + .seconds(5)
      while cycle.frame.count < 2, bench.now < end { try bench.step(until: end) }
      bench.stop()
      #expect(cycle.frame == [.started("a"), .finished("a", .ended)])
      let both = try samples(in: "\(folder)/out.raw")
      let heard = stride(from: 0, to: both.count, by: 2).map { both[$0] }.drop { $0 == 0 }
      #expect(Array(heard.prefix(2400)) == Array(clip.samples))
    }
  }

  @Test("a device that isn't there, or can't do it, is told in words")
  func errors() {
    #expect(
      error("hw:31").map { "\($0)" }
        == "cannot open the sound device \"hw:31\": there is no such device (ENOENT). `aplay -L` lists the devices; name one "
        + "in the panel file, or use --audio simulated.")
    #expect(error("no-such-pcm")?.kind == .absent)
    #expect(error("null") == nil)
  }

  @Test("a sound server that does not answer is absent", arguments: [EHOSTDOWN, ECONNREFUSED])
  func noServer(number: Int32) {
    let sink = ALSASink(device: "default") { _, _ in -number }
    let error = driverError { _ = try sink.open(PCMPreferences(), on: WorkClock(at: .zero)) }
    #expect(error?.kind == .absent)
    #expect(
      error?.description
        == "cannot open the sound device \"default\": no sound server answers (\(number == EHOSTDOWN ? "EHOSTDOWN" : "ECONNREFUSED")). "
        + "This user has none. For a service, write the name of a card: "
        + "`audio: { device: plughw:CARD=Headphones }`; `aplay -l` lists the cards.")
  }

  @Test(
    "each format of a device has the bits of the samples at its upper end",
    arguments: [
      (ALSAFormat.s16, [0x34, 0x12, 0xFF, 0xFF]), (.s32, [0, 0, 0x34, 0x12, 0, 0, 0xFF, 0xFF]),
      (.s24In3, [0, 0x34, 0x12, 0, 0xFF, 0xFF]), (.s24, [0, 0x34, 0x12, 0, 0, 0xFF, 0xFF, 0xFF]),
      // 4660 / 32768 and -1 / 32768, as IEEE 754 has them.
      (.float, [0x00, 0xA0, 0x11, 0x3E, 0x00, 0x00, 0x00, 0xB8]),
      (.s16BigEndian, [0x12, 0x34, 0xFF, 0xFF]), (.s32BigEndian, [0x12, 0x34, 0, 0, 0xFF, 0xFF, 0, 0]),
      // 4660 / 256 is 18.2, from 128 on.
      (.u8, [146, 128]),
    ] as [(ALSAFormat, [UInt8])])
  func formats(format: ALSAFormat, bytes: [UInt8]) {
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 16) { buffer in
      format.convert(
        [Float(0x1234) / 32_768, -1.0 / 32_768], count: 2, channelCount: 1, deviceChannels: 1,
        into: buffer.baseAddress!)
      #expect(Array(buffer.prefix(bytes.count)) == bytes)
    }
  }

  @Test("each format has the largest numbers for samples beyond full scale", arguments: ALSAFormat.allCases)
  func beyond(format: ALSAFormat) {
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 16) { buffer in
      format.convert([7, -7], count: 2, channelCount: 1, deviceChannels: 1, into: buffer.baseAddress!)
      let width = format.bytesPerSample
      let bytes = Array(buffer.prefix(2 * width))
      let expected: [UInt8] =
        switch format {
        case .s16: [0xFF, 0x7F, 0, 0x80]
        case .s16BigEndian: [0x7F, 0xFF, 0x80, 0]
        case .s32: [0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0x80]
        case .s32BigEndian: [0x7F, 0xFF, 0xFF, 0xFF, 0x80, 0, 0, 0]
        case .s24: [0xFF, 0xFF, 0x7F, 0, 0, 0, 0x80, 0xFF]
        case .s24In3: [0xFF, 0xFF, 0x7F, 0, 0, 0x80]
        // 7 and -7: a float has no largest number that matters here.
        case .float: [0, 0, 0xE0, 0x40, 0, 0, 0xE0, 0xC0]
        case .u8: [255, 0]
        }
      #expect(bytes == expected)
    }
  }

  @Test("the channels of a device beyond those that are played are silent", arguments: [ALSAFormat.s16, .s24In3, .u8])
  func moreChannels(format: ALSAFormat) {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { buffer in
      format.convert([0.5, -0.5, 0.25, 0], count: 2, channelCount: 2, deviceChannels: 4, into: buffer.baseAddress!)
      var expected = [Float](repeating: 0, count: 8)
      (expected[0], expected[1], expected[4]) = (0.5, -0.5, 0.25)
      let bytes = Array(buffer.prefix(8 * format.bytesPerSample))
      format.convert(expected, count: 8, channelCount: 1, deviceChannels: 1, into: buffer.baseAddress!)
      #expect(bytes == Array(buffer.prefix(bytes.count)))
    }
  }

  @Test("fifty openings and failed openings leave no descriptor open")
  func descriptors() throws {
    let (_, leftOpen) = try withOwnDescriptors {
      for _ in 0..<50 {
        let sink = ALSASink(device: "null")
        _ = try? sink.open(PCMPreferences(), on: WorkClock(at: .zero))
        sink.close()
        _ = error("hw:31")
      }
    }
    #expect(leftOpen == 0)
  }
}
