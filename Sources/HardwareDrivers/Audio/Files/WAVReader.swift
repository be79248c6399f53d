import CycleCore

/// The bytes of a file, read in pieces.
package protocol ByteSource {
  /// The size in bytes.
  var size: Int { get }
  /// Reads as many bytes as fit, fewer at the end of the file. Returns the number of bytes.
  func read(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(DriverError) -> Int
}

/// Reads the samples out of a WAV file, without holding the file in memory.
///
/// **Source.** Microsoft and IBM, "Multimedia Programming Interface and Data Specifications 1.0" (1991), and
/// Microsoft's "Multiple channel audio data and WAVE files" for `WAVE_FORMAT_EXTENSIBLE`.
package struct WAVReader {
  /// The content of the header and the position of the samples.
  package struct Header {
    fileprivate var format: Format
    fileprivate var start: Int
    /// The length in sample frames.
    package var length: Int
    var channelCount: Int { format.channelCount }
    var sampleRateHertz: Int { format.sampleRateHertz }
  }

  fileprivate struct Format {
    var isFloat: Bool
    var bits: Int
    var channelCount: Int
    var sampleRateHertz: Int
    var bytesPerSample: Int { bits / 8 }
  }

  /// The maximum number of chunks that are searched. A recorder writes about ten; a file of many empty chunks would
  /// take minutes.
  private static let mostChunks = 10_000

  private let source: any ByteSource
  private let name: String

  /// - Parameter name: the file's name in errors.
  package init(_ source: any ByteSource, name: String) {
    self.source = source
    self.name = name
  }

  /// - Throws: kind `unsupported` for a file that is not a WAV file, or one whose samples take too much memory.
  package func readHeader() throws(DriverError) -> Header {
    let beginning = try bytes(at: 0, count: 12)
    guard beginning.count == 12, beginning.tag(at: 0) == "RIFF", beginning.tag(at: 8) == "WAVE" else {
      throw wrong("it doesn't begin as a WAV file (RIFF....WAVE)", at: 0)
    }
    var format: Format?
    var place = 12
    var count = 0
    while place + 8 <= source.size {
      count += 1
      guard count <= Self.mostChunks else { throw wrong("it has more than \(Self.mostChunks) chunks", at: place) }
      let head = try bytes(at: place, count: 8)
      guard head.count == 8 else { break }
      let size = Int(head.number32(at: 4))
      let start = place + 8
      switch head.tag(at: 0) {
      case "fmt ": format = try readFormat(bytes(at: start, count: min(size, 40)), at: start)
      case "data":
        guard let format else { throw wrong("the samples come before their format", at: place) }
        // A program that writes to a pipe can't go back to fill in the size: 0 or too much means "until the end".
        let end = size == 0 || size > source.size - start ? source.size : start + size
        let length = (end - start) / (format.bytesPerSample * format.channelCount)
        return Header(format: format, start: start, length: length)
      default: break
      }
      // Chunks begin at even places.
      place = start + size + (size & 1)
    }
    throw format == nil ? wrong("there is no format in it", at: source.size) : hasNoSamples(at: source.size)
  }

  /// Whether the samples are encoded, as by µ-law or ADPCM, so that this reader can't read them. False if the file is no
  /// WAV file.
  package func isEncoded() throws(DriverError) -> Bool {
    let beginning = try bytes(at: 0, count: 12)
    guard beginning.count == 12, beginning.tag(at: 0) == "RIFF", beginning.tag(at: 8) == "WAVE" else { return false }
    var place = 12
    for _ in 0..<Self.mostChunks {
      let head = try bytes(at: place, count: 8)
      guard head.count == 8 else { return false }
      let size = Int(head.number32(at: 4))
      if head.tag(at: 0) == "fmt " {
        let format = try bytes(at: place + 8, count: min(size, 40))
        guard format.count >= 16 else { return false }
        let code = format.number16(at: 0)
        if code == 0xFFFE { return format.count >= 40 && ![1, 3].contains(format.number16(at: 24)) }
        return ![1, 3].contains(code)
      }
      place += 8 + size + (size & 1)
    }
    return false
  }

  /// The magnitude of the last sample frame, on the louder channel, if a player fades it out; nil if it is quiet.
  package func loudEnd() throws(DriverError) -> Int? {
    let header = try readHeader()
    guard header.length > 0 else { return nil }
    let size = header.format.bytesPerSample * header.channelCount
    let last = try bytes(at: header.start + (header.length - 1) * size, count: size)
    guard last.count == size else { return nil }
    let level = last.withUnsafeBytes { bytes in
      (0..<header.channelCount).map { channel in
        Int(sample(bytes, at: channel * header.format.bytesPerSample, header.format).magnitude)
      }.max() ?? 0
    }
    return level > Voice.quiet ? level : nil
  }

  private func bytes(at offset: Int, count: Int) throws(DriverError) -> [UInt8] {
    var failure: DriverError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, count in
      do throws(DriverError) {
        count = try source.read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  private func readFormat(_ bytes: [UInt8], at start: Int) throws(DriverError) -> Format {
    guard bytes.count >= 16 else { throw wrong("its format has \(bytes.count) bytes, not 16 or more", at: start) }
    var code = bytes.number16(at: 0)
    let channelCount = bytes.number16(at: 2)
    let rate = bytes.number32(at: 4)
    let bits = bytes.number16(at: 14)
    if code == 0xFFFE {
      guard bytes.count >= 40 else { throw wrong("its extended format has \(bytes.count) bytes, not 40", at: start) }
      code = bytes.number16(at: 24)
    }
    guard code == 1 || code == 3 else {
      throw wrong("it is encoded (format \(code)): only PCM and float are read", at: start)
    }
    guard (1...2).contains(channelCount) else {
      throw wrong("it has \(channelCount) channels: one and two are read", at: start + 2, converting: "-c 2 ")
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

  /// Reads sample frames.
  ///
  /// - Parameters:
  ///   - place: the number of the first one.
  ///   - samples: room for them.
  ///   - count: the number of sample frames.
  /// - Returns: the number of those that are there.
  fileprivate func read(
    _ header: Header, at place: Int, into samples: UnsafeMutablePointer<Int16>, count: Int
  ) throws(DriverError) -> Int {
    let size = header.format.bytesPerSample * header.channelCount
    let wanted = max(0, min(count, header.length - place))
    let piece = try bytes(at: header.start + place * size, count: wanted * size)
    let taken = piece.count / size
    piece.withUnsafeBytes { bytes in
      for index in 0..<taken * header.channelCount {
        samples[index] = sample(bytes, at: index * header.format.bytesPerSample, header.format)
      }
    }
    return taken
  }

  private func sample(_ bytes: UnsafeRawBufferPointer, at place: Int, _ format: Format) -> Int16 {
    func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
      Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: type))
    }
    return switch (format.isFloat, format.bits) {
    case (false, 8): (Int16(bytes[place]) - 128) << 8
    case (false, 16): number(Int16.self)
    case (false, 24):
      rounded(
        Int(bytes[place]) | Int(bytes[place + 1]) << 8 | Int(Int8(bitPattern: bytes[place + 2])) << 16, dropping: 8)
    case (false, _): rounded(Int(number(Int32.self)), dropping: 16)
    case (true, 32): rounded(Double(Float(bitPattern: number(UInt32.self))))
    case (true, _): rounded(Double(bitPattern: number(UInt64.self)))
    }
  }

  private func rounded(_ value: Int, dropping bits: Int) -> Int16 {
    Int16(clamping: (value + (1 << (bits - 1))) >> bits)
  }

  /// Full scale is 1; NaN and infinity become silence.
  private func rounded(_ value: Double) -> Int16 {
    guard value.isFinite else { return 0 }
    return Int16(max(-32_768, min(32_767, (value * 32_768).rounded())))
  }

  /// - Parameter options: further options for sox in the remedy.
  private func wrong(_ reason: String, at place: Int, converting options: String = "") -> DriverError {
    wrong(reason, at: place, remedy: "Convert it: sox IN \(options)-b 16 -r 48000 OUT.wav")
  }

  private func hasNoSamples(at place: Int) -> DriverError {
    wrong("there are no samples in it", at: place, remedy: "Record it again, or use another file.")
  }

  private func wrong(_ reason: String, at place: Int, remedy: String) -> DriverError {
    DriverError(
      .unsupported, of: name, cannot: "read \(name) as a WAV file", reason: "\(reason), at byte \(place)",
      remedy: remedy)
  }
}

/// The samples of a WAV file.
package final class WAVSamples: SampleReader {
  private let reader: WAVReader
  private let header: WAVReader.Header
  private var position = 0

  /// - Throws: kind `unsupported` for a file that is not a WAV file.
  package init(_ reader: WAVReader) throws(DriverError) {
    self.reader = reader
    header = try reader.readHeader()
  }

  package var channelCount: Int { header.channelCount }
  package var sampleRateHertz: Int { header.sampleRateHertz }
  package var length: Int { header.length }

  package func read(into samples: UnsafeMutablePointer<Int16>, count: Int) throws(DriverError) -> Int {
    let taken = try reader.read(header, at: position, into: samples, count: count)
    position += taken
    return taken
  }

  package func move(to sampleFrame: Int) { position = max(0, min(length, sampleFrame)) }
}

extension [UInt8] {
  fileprivate func tag(at place: Int) -> String { String(decoding: self[place..<place + 4], as: UTF8.self) }

  fileprivate func number16(at place: Int) -> Int { Int(self[place]) | Int(self[place + 1]) << 8 }

  fileprivate func number32(at place: Int) -> UInt32 {
    UInt32(number16(at: place)) | UInt32(number16(at: place + 2)) << 16
  }
}
