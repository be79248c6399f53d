import Glibc
import TestSupport
import Testing

@testable import CycleCore
@testable import HardwareDrivers
@testable import HardwareLinux

/// Files that other programs have made of a sine of 441 Hz at half of full scale: 11 025 sample frames at 44.1 kHz, those
/// of Opus 12 000 at 48 kHz.
@Suite("Sound files of many formats")
struct DecodedSoundTests {
  private func path(_ name: String) -> String { "\(checkoutRoot)/Tests/Sounds/\(name)" }

  private let sine = (0..<11_025).map { Int16((16_384 * sin(2 * .pi * Double($0) / 100)).rounded()) }

  private func reason(_ body: () throws -> Void) -> String? { driverError(body).map { "\($0)" } }

  @Test("a file without loss is read bit for bit", arguments: ["sine.flac", "sine.aiff", "sine.rf64"])
  func exact(_ name: String) throws {
    try SoundFile(path(name)).check(isHeard: true)
    let clip = try Clip(contentsOf: path(name))
    #expect(clip.sampleRateHertz == 44_100 && clip.channelCount == 1)
    #expect(Array(clip.samples) == sine)
  }

  @Test(
    "an encoded file has its length, and the sine within what its encoding loses",
    arguments: [
      ("sine.ogg", 11_025, 600), ("sine.opus", 12_000, 2_000), ("sine-ulaw.wav", 4_410, 520),
      ("sine-adpcm.wav", 4_410, 1_000),
    ])
  func encoded(_ name: String, _ length: Int, _ loss: Int) throws {
    try SoundFile(path(name)).check(isHeard: true)
    let clip = try Clip(contentsOf: path(name))
    // A block of ADPCM has 4 089 sample frames, and is filled up.
    #expect((length..<length + 4_089).contains(clip.length), "\(clip.length)")
    let differences = zip(clip.samples.dropFirst(1_000).prefix(2_000), sine.dropFirst(1_000)).map {
      abs(Int($0) - Int($1))
    }
    #expect(differences.max()! <= loss, "\(differences.max()!)")
  }

  @Test("an MP3 file is read, with the level and the frequency of its sine")
  func mp3() throws {
    let clip = try Clip(contentsOf: path("sine.mp3"))
    #expect((11_025..<14_000).contains(clip.length), "\(clip.length)")
    let middle = clip.samples[3_000..<9_000]
    #expect((15_500...17_200).contains(Int(middle.max()!)))
    #expect((59...61).contains(zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }))
  }

  @Test("a file with six channels says how many, and what mixes them")
  func channels() {
    for text in [
      reason { _ = try Clip(contentsOf: path("six-channels.flac")) },
      reason { try SoundFile(path("six-channels.flac")).check() },
    ] {
      #expect(
        text
          == "cannot read \(path("six-channels.flac")): it has 6 channels: one and two are played. "
          + "Mix it: sox six-channels.flac -c 2 mixed.wav")
    }
  }

  @Test("without libsndfile the package is named")
  func noLibrary() throws {
    let source = try FileByteSource(path("sine.flac"))
    let error = driverError { _ = try DecodedSound(source, path: "a.flac", format: "FLAC", load: { -ENOENT }) }
    #expect(error?.kind == .absent)
    #expect(error?.reason == "FLAC needs libsndfile")
    #expect(error?.remedy.hasPrefix("Install it: sudo apt install libsndfile1") == true)
  }

  /// A file of these bytes, gone afterwards.
  private func withFile<Value>(_ bytes: [UInt8], _ body: (String) throws -> Value) throws -> Value {
    var name = Array("/tmp/sound-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    try #require(descriptor >= 0)
    let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(path) }
    #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
    return try body(path)
  }

  @Test("AAC is not read, and what converts it is named")
  func aac() throws {
    try withFile([0, 0, 0, 32] + Array("ftypM4A ".utf8) + [UInt8](repeating: 0, count: 100)) { path in
      let name = String(path.dropFirst(5))
      #expect(
        reason { try SoundFile(path).check() }
          == "cannot read \(path): AAC is not read. Convert it: ffmpeg -i \(name) \(name).ogg")
    }
  }

  @Test(
    "a file that is cut off is read up to there, and one of no use says so",
    arguments: ["sine.flac", "sine.ogg", "sine.mp3"])
  func cutOff(_ name: String) throws {
    let whole = try #require(bytes(of: path(name)))
    try withFile(Array(whole.prefix(whole.count * 2 / 3))) { path in
      let clip = try? Clip(contentsOf: path)
      #expect(clip.map { $0.length < 12_000 } ?? true)
    }
    try withFile(Array(whole.prefix(20))) { path in
      let text = reason { try SoundFile(path).check(isHeard: true) } ?? "no error"
      #expect(text.contains("it can't be read as") || text.contains("there are no samples in it"), "\(text)")
    }
  }

  @Test(
    "damaged files are no crash and no endless loop",
    arguments: ["sine.flac", "sine.ogg", "sine.opus", "sine.mp3", "sine.aiff", "sine-adpcm.wav"], 0..<40)
  func damaged(_ name: String, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var damaged = try #require(bytes(of: path(name)))
    for _ in 0..<Int.random(in: 1...20, using: &generator) {
      // The first bytes, which tell the format, stay.
      damaged[Int.random(in: 12..<damaged.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
    }
    try withFile(Array(damaged)) { path in
      let clip = try? Clip(contentsOf: path)
      #expect(clip.map { $0.length <= Clip.largestSize / 2 } ?? true, "seed \(seed)")
    }
  }

  @Test(
    "9.13: from any place on, the samples are those of a reading from the beginning",
    arguments: ["sine.flac", "sine.ogg", "sine.opus", "sine.mp3", "sine.aiff", "sine.rf64", "loud-end.wav"])
  func seeks(_ name: String) throws {
    let clip = try Clip(contentsOf: path(name))
    let reader = try SoundFile.open(path(name))
    let channels = clip.channelCount
    // The decoders of Opus and MP3 compute with numbers that depend a little on what came before.
    let tolerance = name == "sine.opus" || name == "sine.mp3" ? 1 : 0
    var generator = SeededGenerator(seed: 4_096)
    for _ in 0..<200 {
      let place = Int.random(in: 0..<clip.length, using: &generator)
      var samples = [Int16](repeating: 0, count: 500 * channels)
      try reader.move(to: place)
      let count = try reader.read(into: &samples, count: 500)
      #expect(count == min(500, clip.length - place))
      let expected = clip.samples[(place * channels)...]
      let greatest = zip(samples.prefix(count * channels), expected).map { abs(Int($0) - Int($1)) }.max() ?? 0
      #expect(greatest <= tolerance, "\(name) from \(place): \(greatest)")
    }
  }
}
