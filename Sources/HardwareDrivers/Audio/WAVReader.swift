import CycleCore

/// The samples of a WAV file, rounded to 16 bits.
struct WAVSound: Equatable {
  /// Interleaved.
  var samples: [Int16]
  var channelCount: Int
  var sampleRateHertz: Int
}

/// Reads the samples out of a WAV file's bytes.
///
/// **Source.** Microsoft and IBM, "Multimedia Programming Interface and Data Specifications 1.0" (1991), and Microsoft's
/// "Multiple channel audio data and WAVE files" for `WAVE_FORMAT_EXTENSIBLE`.
struct WAVReader<Bytes: RandomAccessCollection<UInt8>> where Bytes.Index == Int {
  typealias Sound = WAVSound

  struct Format {
    var isFloat: Bool
    var bits: Int
    var channelCount: Int
    var sampleRateHertz: Int
    var bytesPerSample: Int { bits / 8 }
  }

  private let bytes: Bytes
  private let name: String

  /// - Parameter name: what errors call it.
  init(_ bytes: Bytes, name: String) {
    self.bytes = bytes
    self.name = name
  }

  func read() throws(DriverError) -> Sound {
    let (format, samples) = try layout()
    return Sound(
      samples: convert(from: samples.lowerBound, to: samples.upperBound, format), channelCount: format.channelCount,
      sampleRateHertz: format.sampleRateHertz)
  }

  /// How the samples are written, and the places of their bytes.
  func layout() throws(DriverError) -> (format: Format, samples: Range<Int>) {
    guard bytes.count >= 12, tag(at: 0) == "RIFF", tag(at: 8) == "WAVE" else {
      throw wrong("it doesn't begin as a WAV file (RIFF....WAVE)", at: 0)
    }
    var format: Format?
    var place = 12
    while place + 8 <= bytes.count {
      let size = Int(number32(at: place + 4))
      let start = place + 8
      switch tag(at: place) {
      case "fmt ": format = try readFormat(at: start, size: min(size, bytes.count - start))
      case "data":
        guard let format else { throw wrong("the samples come before their format", at: place) }
        // A program that writes to a pipe can't go back to fill in the size: 0 or too much means "until the end".
        let end = size == 0 || size > bytes.count - start ? bytes.count : start + size
        return (format, start..<end)
      default: break
      }
      // Chunks begin at even places.
      place = start + size + (size & 1)
    }
    throw wrong(format == nil ? "there is no format in it" : "there are no samples in it", at: bytes.count)
  }

  private func readFormat(at start: Int, size: Int) throws(DriverError) -> Format {
    guard size >= 16 else { throw wrong("its format has \(size) bytes, not 16 or more", at: start) }
    var code = number16(at: start)
    let channelCount = number16(at: start + 2)
    let rate = number32(at: start + 4)
    let bits = number16(at: start + 14)
    if code == 0xFFFE {
      guard size >= 40 else { throw wrong("its extended format has \(size) bytes, not 40", at: start) }
      code = number16(at: start + 24)
    }
    guard code == 1 || code == 3 else {
      throw wrong("it is encoded (format \(code)): only PCM and float are read", at: start)
    }
    guard (1...2).contains(channelCount) else {
      throw wrong("it has \(channelCount) channels: one and two are read", at: start + 2)
    }
    guard (1_000...768_000).contains(rate) else {
      throw wrong("it has \(rate) sample frames a second: 1000 to 768000 are read", at: start + 4)
    }
    let known = code == 3 ? [32, 64] : [8, 16, 24, 32]
    guard known.contains(bits) else {
      throw wrong(
        "it has \(bits) bits a sample: \(code == 3 ? "32 and 64 bit float" : "8, 16, 24 and 32 bit PCM") are read",
        at: start + 14)
    }
    return Format(isFloat: code == 3, bits: bits, channelCount: channelCount, sampleRateHertz: Int(rate))
  }

  private func convert(from start: Int, to end: Int, _ format: Format) -> [Int16] {
    let width = format.bytesPerSample
    let count = (end - start) / (width * format.channelCount) * format.channelCount
    var samples = [Int16](repeating: 0, count: count)
    for index in 0..<count { samples[index] = sample(at: start + index * width, format) }
    return samples
  }

  private func sample(at place: Int, _ format: Format) -> Int16 {
    switch (format.isFloat, format.bits) {
    case (false, 8): Int16(Int(bytes[place]) - 128) << 8
    case (false, 16): Int16(bitPattern: UInt16(number16(at: place)))
    case (false, 24): rounded(number24(at: place), dropping: 8)
    case (false, _): rounded(Int(Int32(bitPattern: number32(at: place))), dropping: 16)
    case (true, 32): rounded(Double(Float(bitPattern: number32(at: place))))
    case (true, _):
      rounded(Double(bitPattern: UInt64(number32(at: place)) | UInt64(number32(at: place + 4)) << 32))
    }
  }

  private func rounded(_ value: Int, dropping bits: Int) -> Int16 {
    Int16(clamping: (value + (1 << (bits - 1))) >> bits)
  }

  /// Full scale is 1; what is no number is silence.
  private func rounded(_ value: Double) -> Int16 {
    guard value.isFinite else { return 0 }
    return Int16(max(-32_768, min(32_767, (value * 32_768).rounded())))
  }

  private func tag(at place: Int) -> String { String(decoding: (0..<4).map { bytes[place + $0] }, as: UTF8.self) }

  private func number16(at place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }

  private func number24(at place: Int) -> Int {
    (number16(at: place) | Int(Int8(bitPattern: bytes[place + 2])) << 16)
  }

  private func number32(at place: Int) -> UInt32 {
    UInt32(number16(at: place)) | UInt32(number16(at: place + 2)) << 16
  }

  private func wrong(_ reason: String, at place: Int) -> DriverError {
    DriverError(
      .unsupported, cannot: "read \(name) as a WAV file", reason: "\(reason), at byte \(place)",
      remedy: "Convert it: sox IN -b 16 -r 48000 OUT.wav")
  }
}
