import CycleCore

/// The samples of a sound at the rate of a device, made piece by piece. The result is the same, wherever it begins.
final class SoundPieces {
  private let reader: any SampleReader
  /// Nil if the sound has the rate of the device.
  private let resampler: Resampler?
  private var conversion: Resampler.Conversion?
  /// Room for the sample frames of the file that are read at a time, about 100 ms.
  private var input: [Int16]
  private let inputLength: Int
  /// The number of sample frames that were read, or that lie before the place where reading began.
  private(set) var place = 0
  private var hasEnded = false

  /// - Parameter resampler: converts the rate of the file to that of the device; nil if they are equal.
  init(_ reader: any SampleReader, with resampler: Resampler?) {
    self.reader = reader
    self.resampler = resampler
    inputLength = max(64, reader.sampleRateHertz / 10)
    input = [Int16](repeating: 0, count: inputLength * reader.channelCount)
    conversion = resampler.map { Resampler.Conversion(with: $0, channelCount: reader.channelCount) }
  }

  var channelCount: Int { reader.channelCount }

  /// The length of the result in sample frames that the file declares.
  var declaredLength: Int { resampler?.length(of: reader.length) ?? reader.length }

  /// Whether the file has fewer sample frames than it declares, by more than 100 ms: an encoder may round its length.
  /// Known at the end.
  var isShort: Bool { hasEnded && reader.length - place > reader.sampleRateHertz / 10 }

  /// Begins at a sample frame of the result.
  func begin(at sampleFrame: Int) throws(DriverError) {
    hasEnded = false
    guard let resampler else {
      place = sampleFrame
      return try reader.move(to: sampleFrame)
    }
    let conversion = Resampler.Conversion(with: resampler, channelCount: reader.channelCount, from: sampleFrame)
    place = conversion.added
    self.conversion = conversion
    try reader.move(to: place)
  }

  /// Appends the next piece, of about 100 ms. Returns false if there was none: the sound has ended.
  func next(to samples: inout [Int16]) throws(DriverError) -> Bool {
    guard !hasEnded else { return false }
    var failure: DriverError?
    var count = 0
    input.withUnsafeMutableBufferPointer { input in
      guard let start = input.baseAddress else { return }
      do throws(DriverError) {
        count = try reader.read(into: start, count: inputLength)
      } catch {
        failure = error
      }
      let piece = UnsafeBufferPointer(start: start, count: count * reader.channelCount)
      if let conversion { conversion.add(piece, to: &samples) } else { samples.append(contentsOf: piece) }
    }
    if let failure { throw failure }
    place += count
    guard count == 0 else { return true }
    hasEnded = true
    let before = samples.count
    conversion?.finish(&samples)
    return samples.count > before
  }
}
