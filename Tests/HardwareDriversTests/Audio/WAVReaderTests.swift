import CycleCore
import Glibc
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Reading WAV files")
struct WAVReaderTests {
  struct Sound: Equatable {
    var samples: [Int16]
    var channelCount: Int
    var sampleRateHertz: Int
  }

  private func read(_ wav: WAVBytes) throws -> Sound { try read(wav.bytes) }

  private func read(_ bytes: [UInt8]) throws(DriverError) -> Sound { try read(MemoryFile(bytes)) }

  private func read(_ file: MemoryFile) throws(DriverError) -> Sound {
    let clip = try Clip(WAVSamples(WAVReader(file, name: "x.wav")), name: "x.wav")
    return withExtendedLifetime(clip) {
      Sound(samples: Array(clip.samples), channelCount: clip.channelCount, sampleRateHertz: clip.sampleRateHertz)
    }
  }

  /// The error's text, without how it begins and what to do about it.
  private func fault(_ bytes: [UInt8]) -> String {
    do {
      _ = try read(bytes)
      return "no error"
    } catch {
      return error.reason
    }
  }

  @Test("a file that is made of empty chunks is refused before they have all been looked for")
  func manyChunks() {
    let good = WAVBytes().bytes
    let chunks = [[UInt8]](repeating: WAVBytes.chunk("junk", []), count: 20_000).flatMap(\.self)
    #expect(fault(Array(good[..<12]) + chunks + Array(good[12...])) == "it has more than 10000 chunks, at byte 80012")
  }

  /// Silence, half of full scale, and the lowest value, as 16 bits have them.
  static let expected: [Int16] = [0, 16_384, -32_768]

  static func samples(bits: Int, isFloat: Bool) -> [UInt8] {
    switch (bits, isFloat) {
    case (8, _): [128, 192, 0]
    case (64, _): [0.0, 0.5, -1.0].flatMap { WAVBytes.number(Int(bitPattern: UInt(Double($0).bitPattern)), 8) }
    case (32, true): [0.0, 0.5, -1.0].flatMap { WAVBytes.number(Int(Float($0).bitPattern), 4) }
    default: [0, 1 << (bits - 2), -(1 << (bits - 1))].flatMap { WAVBytes.number($0, bits / 8) }
    }
  }

  @Test(
    "8, 16, 24 and 32 bit PCM and 32 and 64 bit float, with both kinds of header",
    arguments: [(8, false), (16, false), (24, false), (32, false), (32, true), (64, true)], [false, true])
  func encodings(_ encoding: (bits: Int, isFloat: Bool), _ isExtended: Bool) throws {
    let wav = WAVBytes(
      code: encoding.isFloat ? 3 : 1, bits: encoding.bits, isExtended: isExtended,
      data: Self.samples(bits: encoding.bits, isFloat: encoding.isFloat))
    #expect(try read(wav) == .init(samples: Self.expected, channelCount: 1, sampleRateHertz: 48_000))
  }

  @Test("stereo stays interleaved, and a sample frame that is cut off is left out")
  func stereo() throws {
    let wav = WAVBytes(channelCount: 2, sampleRateHertz: 44_100, data: [1, 0, 2, 0, 3, 0, 4, 0, 5, 0])
    #expect(try read(wav) == .init(samples: [1, 2, 3, 4], channelCount: 2, sampleRateHertz: 44_100))
  }

  @Test("more bits than 16 are rounded, and float beyond full scale is cut; what is no number is silence")
  func rounding() throws {
    let deep = WAVBytes(bits: 24, data: [0x7F, 1, 0, 0x80, 1, 0, 0xFF, 0xFF, 0x7F])
    #expect(try read(deep).samples == [1, 2, 32_767])
    let values: [Float] = [2, -2, .nan, .infinity]
    let float = WAVBytes(code: 3, bits: 32, data: values.flatMap { WAVBytes.number(Int($0.bitPattern), 4) })
    #expect(try read(float).samples == [32_767, -32_768, 0, 0])
  }

  @Test("other chunks are passed over, odd ones with the byte that fills them up")
  func chunks() throws {
    let wav = WAVBytes(between: WAVBytes.chunk("LIST", [1, 2, 3]) + WAVBytes.chunk("fact", []), data: [7, 0])
    #expect(try read(wav).samples == [7])
  }

  @Test("a size of 0, or one that is too large, means until the end", arguments: [0, 1000, 0xFFFF_FFFF])
  func unknownSize(_ size: Int) throws {
    #expect(try read(WAVBytes(claimedSize: size, data: [1, 0, 2, 0])).samples == [1, 2])
  }

  @Test("no samples at all are a sound of no length")
  func empty() throws {
    #expect(try read(WAVBytes()).samples == [])
  }

  @Test("an error says what is wrong, at which byte, and what to do")
  func message() {
    #expect {
      try WAVReader(MemoryFile(WAVBytes(channelCount: 6).bytes), name: "sounds/movie.wav").readHeader()
    } throws: {
      "\($0)" == "cannot read sounds/movie.wav as a WAV file: it has 6 channels: one and two are read, at byte 22. "
        + "Convert it: sox IN -c 2 -b 16 -r 48000 OUT.wav"
    }
  }

  @Test(
    "the level of a loud last sample frame is known, and a quiet end is none",
    arguments: [([0, 0, 0x47, 0x01], nil), ([0, 0, 0x48, 0x01], 328), ([0xFF, 0x7F, 0x00, 0x80], 32_768)]
      as [([UInt8], Int?)])
  func loudEnd(data: [UInt8], level: Int?) throws {
    for channelCount in 1...2 {
      let file = MemoryFile(WAVBytes(channelCount: channelCount, data: data).bytes)
      #expect(try WAVReader(file, name: "x.wav").loudEnd() == level)
    }
  }

  @Test("each thing that can be wrong has its words")
  func faults() {
    #expect(fault([]) == "it doesn't begin as a WAV file (RIFF....WAVE), at byte 0")
    #expect(fault(Array("RIFX1234WAVEfmt ".utf8)) == "it doesn't begin as a WAV file (RIFF....WAVE), at byte 0")
    #expect(fault(Array("RIFF1234WAVE".utf8)) == "there is no format in it, at byte 12")
    #expect(fault(Array(WAVBytes().bytes[..<36])) == "there are no samples in it, at byte 36")
    #expect(
      fault(Array("RIFF1234WAVE".utf8) + WAVBytes.chunk("data", [1, 0]))
        == "the samples come before their format, at byte 12")
    #expect(
      fault(Array("RIFF1234WAVE".utf8) + WAVBytes.chunk("fmt ", [1, 0]))
        == "its format has 2 bytes, not 16 or more, at byte 20")
    #expect(
      fault(Array("RIFF1234WAVE".utf8) + WAVBytes.chunk("fmt ", [0xFE, 0xFF] + [UInt8](repeating: 0, count: 14)))
        == "its extended format has 16 bytes, not 40, at byte 20")
    #expect(fault(WAVBytes(code: 2).bytes) == "it is encoded (format 2): only PCM and float are read, at byte 20")
    #expect(
      fault(WAVBytes(sampleRateHertz: 500).bytes)
        == "it has 500 sample frames a second: 1000 to 768000 are read, at byte 24")
    #expect(
      fault(WAVBytes(sampleRateHertz: 768_001).bytes)
        == "it has 768001 sample frames a second: 1000 to 768000 are read, at byte 24")
    for rate in [1_000, 768_000] { #expect(fault(WAVBytes(sampleRateHertz: rate).bytes) == "no error") }
    #expect(
      fault(WAVBytes(bits: 12).bytes) == "it has 12 bits a sample: 8, 16, 24 and 32 bit PCM are read, at byte 34")
    #expect(
      fault(WAVBytes(code: 3, bits: 16).bytes) == "it has 16 bits a sample: 32 and 64 bit float are read, at byte 34")
  }

  @Test("a small file whose sound would be large is refused before anything is converted")
  func tooLong() throws {
    // 10 MB of 8 bits at 1000 Hz.
    let header = WAVBytes(sampleRateHertz: 1000, bits: 8, claimedSize: 10 << 20).bytes
    let file = SilentFile(header: header, size: header.count + 10 << 20)
    #expect {
      _ = try Clip(WAVSamples(WAVReader(file, name: "x.wav")), name: "x.wav")
    } throws: {
      "\($0)"
        == "cannot read x.wav: 10485 s are too long: it needs 960 MB; the limit is 256 MB. "
        + "Cut the sound, or play it as a stream."
    }
    #expect(file.longestRead <= 64)
  }

  @Test("a file is read piece by piece: its bytes are never in memory at once")
  func pieces() throws {
    let header = WAVBytes(channelCount: 2, bits: 32, claimedSize: 4 << 20).bytes
    let file = SilentFile(header: header, size: header.count + 4 << 20)
    #expect(try Clip(WAVSamples(WAVReader(file, name: "x.wav")), name: "x.wav").length == 1 << 19)
    #expect(file.longestRead <= 1 << 17)
  }

  @Test("a file that has become shorter since its header was read ends there")
  func shorter() throws {
    let bytes = WAVBytes(data: [1, 0, 2, 0, 3, 0]).bytes
    let file = MemoryFile(Array(bytes.dropLast(3)), size: bytes.count)
    #expect(try read(file).samples == [1])
  }

  @Test("whatever is changed in a file, it is read or refused: seeds 0 to 1999")
  func mutations() {
    let plain = WAVBytes(
      channelCount: 2, isExtended: true, between: WAVBytes.chunk("LIST", [1, 2, 3]),
      data: [UInt8](repeating: 5, count: 64)
    ).bytes
    var refused = 0
    for seed in 0..<2000 {
      var random = SeededGenerator(seed: UInt64(seed))
      var bytes = plain
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
        case 2: bytes.insert(0xFF, at: Int.random(in: 0...bytes.count, using: &random))
        default: if bytes.count > 48 { bytes[Int.random(in: 40..<48, using: &random)] = 0xFF }
        }
        if bytes.isEmpty { bytes = [0] }
      }
      do {
        let sound = try read(bytes)
        #expect(sound.samples.count.isMultiple(of: sound.channelCount), "seed \(seed)")
      } catch {
        refused += 1
      }
    }
    #expect(refused > 200)
    #expect(refused < 1900)
  }
}
