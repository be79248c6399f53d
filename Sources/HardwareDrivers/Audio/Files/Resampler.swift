import Glibc

/// Changes the sample rate of a sound: a polyphase filter of at least 64 taps with a Kaiser window (beta 10).
///
/// Distortion and noise stay 110 dB below full scale up to 18 kHz, which is more than 16 bits can hold. A ``Conversion``
/// does the work, in pieces of any size.
///
/// **Source.** J. F. Kaiser, "Nonrecursive digital filter design using the I0-sinh window function" (1974).
struct Resampler: Sendable {
  private let step: Int
  private let phases: Int
  private let taps: Int
  /// The number of coefficients of a row: the taps, and zeros up to a multiple of ``lanes``.
  private let rowSize: Int
  /// The number of phases in the table, evenly spaced: all of them, or as many as fit, with interpolation between two.
  private let rows: Int
  /// `table[row * rowSize + tap]`, with one extra row: the first one, shifted by one sample frame.
  private let table: [Float]
  /// The number of products that are added at a time, to two sums of half as many.
  private static let lanes = 16

  private static let beta = 10.0
  /// The maximum number of coefficients of a table: 1 MB.
  private static let largestTable = 1 << 18
  /// With this many phases of the shortest filter, interpolation adds less error than the filter itself. A longer
  /// filter is smoother in proportion, and needs fewer.
  private static let interpolatedRows = 1024.0

  /// - Parameters: rates in hertz, both above 0.
  init(from: Int, to: Int) {
    let divisor = Self.greatestCommonDivisor(from, to)
    step = from / divisor
    phases = to / divisor
    // To a lower rate, the filter must cut off at that rate, and is longer in proportion.
    let cutoff = min(1.0, Double(to) / Double(from))
    taps = min(4096, 2 * Int((32 / cutoff).rounded(.up)))
    rowSize = (taps + Self.lanes - 1) / Self.lanes * Self.lanes
    rows = (phases + 1) * rowSize <= Self.largestTable ? phases : max(16, Int(Self.interpolatedRows * cutoff))
    table = Self.makeTable(rows: rows, taps: taps, rowSize: rowSize, cutoff: cutoff * 0.95)
  }

  /// The number of coefficients.
  var tableSize: Int { table.count }

  private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : greatestCommonDivisor(b, a % b) }

  /// The modified Bessel function of order 0.
  private static func bessel(_ x: Double) -> Double {
    var sum = 1.0
    var term = 1.0
    var k = 1.0
    while term > sum * 1e-12 {
      term *= (x / (2 * k)) * (x / (2 * k))
      sum += term
      k += 1
    }
    return sum
  }

  private static func makeTable(rows: Int, taps: Int, rowSize: Int, cutoff: Double) -> [Float] {
    var table = [Float](repeating: 0, count: (rows + 1) * rowSize)
    let half = Double(taps) / 2
    let scale = 1 / bessel(beta)
    var row = [Double](repeating: 0, count: taps)
    for phase in 0...rows {
      for tap in 0..<taps {
        let x = Double(tap) - half + 1 - Double(phase) / Double(rows)
        let window = abs(x) >= half ? 0 : bessel(beta * (1 - (x / half) * (x / half)).squareRoot()) * scale
        let angle = Double.pi * x * cutoff
        row[tap] = (angle == 0 ? 1 : sin(angle) / angle) * cutoff * window
      }
      // Each phase has a gain of 1 for a steady level.
      let gain = row.reduce(0, +)
      for tap in 0..<taps { table[phase * rowSize + tap] = Float(row[tap] / gain) }
    }
    return table
  }

  /// The length of the result in sample frames: the same duration, rounded up.
  func length(of length: Int) -> Int { (length * phases + step - 1) / step }

  /// A sound that is being converted, piece by piece. The result is the same, whatever the size of the pieces.
  ///
  ///     let conversion = Resampler.Conversion(with: resampler, channelCount: 2)
  ///     var converted: [Int16] = []
  ///     while let piece = try readPiece() { conversion.add(piece, to: &converted) }
  ///     conversion.finish(&converted)
  final class Conversion {
    private let resampler: Resampler
    private let channelCount: Int
    /// For each channel the samples that are still needed, one channel after the other.
    private var history: UnsafeMutablePointer<Float>
    /// The room for each channel, and the number of samples in it. Behind them are zeros, as far as a row reads.
    private var capacity: Int
    private var count: Int
    /// The number of the sample frame that comes first in the history, which begins with silence.
    private var first: Int
    /// The number of sample frames that were added, or that come before the first one.
    private(set) var added: Int
    /// The number of sample frames that were made, or that come before the first one.
    private var made: Int
    private var hasEnded = false

    /// - Parameter sampleFrame: the first sample frame of the result that is made. The samples to be added are then those
    ///   from ``added`` on.
    init(with resampler: Resampler, channelCount: Int, from sampleFrame: Int = 0) {
      self.resampler = resampler
      self.channelCount = channelCount
      made = sampleFrame
      added = max(0, sampleFrame * resampler.step / resampler.phases - resampler.taps / 2 + 1)
      count = resampler.taps
      first = added - resampler.taps
      capacity = 0
      history = .allocate(capacity: 0)
      reserve(resampler.taps)
      history.update(repeating: 0, count: channelCount * capacity)
    }

    deinit {
      history.deallocate()
    }

    /// Makes room for this many further sample frames.
    private func reserve(_ more: Int) {
      let needed = count + more + resampler.rowSize
      guard needed > capacity else { return }
      let larger = UnsafeMutablePointer<Float>.allocate(capacity: channelCount * needed)
      larger.initialize(repeating: 0, count: channelCount * needed)
      for channel in 0..<channelCount where capacity > 0 {
        (larger + channel * needed).update(from: history + channel * capacity, count: count)
      }
      history.deallocate()
      (history, capacity) = (larger, needed)
    }

    /// Converts a piece, and appends what is known of the result.
    ///
    /// - Parameter samples: interleaved.
    func add(_ samples: UnsafeBufferPointer<Int16>, to result: inout [Int16]) {
      let length = samples.count / channelCount
      forget()
      reserve(length)
      for channel in 0..<channelCount {
        let place = history + channel * capacity + count
        for index in 0..<length { place[index] = Float(samples[index &* channelCount &+ channel]) }
      }
      count += length
      added += length
      make(&result)
    }

    /// Appends the rest of the result: what needs silence after the sound.
    func finish(_ result: inout [Int16]) {
      guard !hasEnded else { return }
      hasEnded = true
      forget()
      reserve(resampler.taps)
      for channel in 0..<channelCount {
        (history + channel * capacity + count).update(repeating: 0, count: resampler.taps + resampler.rowSize)
      }
      count += resampler.taps
      make(&result)
    }

    /// Drops samples that are not needed any more.
    private func forget() {
      let next = made * resampler.step / resampler.phases - resampler.taps / 2 + 1
      let dropped = min(count, max(0, next - first))
      guard dropped > 0 else { return }
      for channel in 0..<channelCount {
        let place = history + channel * capacity
        for index in 0..<count - dropped { place[index] = place[index + dropped] }
      }
      count -= dropped
      first += dropped
    }

    /// The number of sample frames that are made before they are appended.
    private static let portion = 256

    private func make(_ result: inout [Int16]) {
      let end = hasEnded ? resampler.length(of: added) : .max
      withUnsafeTemporaryAllocation(of: Int16.self, capacity: Self.portion * channelCount) { output in
        guard let start = output.baseAddress else { return }
        while case let count = make(start, atMost: min(Self.portion, end - made)), count > 0 {
          result.append(contentsOf: UnsafeBufferPointer(start: start, count: count * channelCount))
        }
      }
    }

    /// Makes sample frames. Returns their number, which is 0 if more samples are needed.
    private func make(_ output: UnsafeMutablePointer<Int16>, atMost most: Int) -> Int {
      let (phases, rows) = (resampler.phases, resampler.rows)
      // The place of a sample frame in the input, and the phase between two places.
      var (place, phase) = (made &* resampler.step).quotientAndRemainder(dividingBy: phases)
      let (places, phaseStep) = resampler.step.quotientAndRemainder(dividingBy: phases)
      place &-= resampler.taps / 2 &- 1 &+ first
      let last = count &- resampler.taps
      let (channelCount, capacity, history) = (channelCount, capacity, history)
      let filter = resampler.filter
      return resampler.table.withUnsafeBufferPointer { table in
        guard let table = table.baseAddress else { return 0 }
        var done = 0
        while done < most, place <= last {
          let samples = history + place
          let sums = output + done &* channelCount
          if rows == phases {
            let row = table + phase &* filter.size
            for channel in 0..<channelCount {
              sums[channel] = PCMSample.rounded(filter.product(row, samples + channel &* capacity))
            }
          } else {
            let (number, rest) = (phase &* rows).quotientAndRemainder(dividingBy: phases)
            let row = table + number &* filter.size
            let share = Float(rest) / Float(phases)
            for channel in 0..<channelCount {
              let sum = filter.product(row, samples + channel &* capacity)
              let next = filter.product(row + filter.size, samples + channel &* capacity)
              sums[channel] = PCMSample.rounded(sum + (next - sum) * share)
            }
          }
          done &+= 1
          place &+= places
          phase &+= phaseStep
          if phase >= phases {
            phase &-= phases
            place &+= 1
          }
        }
        made &+= done
        return done
      }
    }
  }

  /// The coefficients of a row.
  private struct Filter {
    /// Their number, a multiple of ``Resampler/lanes``.
    let size: Int

    /// The sum of the products of a row and samples: eight sums side by side, twice, so that no addition waits for the
    /// one before.
    @inline(__always)
    func product(_ row: UnsafePointer<Float>, _ samples: UnsafePointer<Float>) -> Float {
      var one = SIMD8<Float>.zero
      var other = SIMD8<Float>.zero
      let (row, samples) = (UnsafeRawPointer(row), UnsafeRawPointer(samples))
      var place = 0
      while place < size &* 4 {
        one +=
          row.loadUnaligned(fromByteOffset: place, as: SIMD8<Float>.self)
          * samples.loadUnaligned(fromByteOffset: place, as: SIMD8<Float>.self)
        other +=
          row.loadUnaligned(fromByteOffset: place &+ 32, as: SIMD8<Float>.self)
          * samples.loadUnaligned(fromByteOffset: place &+ 32, as: SIMD8<Float>.self)
        place &+= 64
      }
      let eight = one + other
      let four = eight.lowHalf + eight.highHalf
      let two = four.lowHalf + four.highHalf
      return two.x + two.y
    }
  }

  private var filter: Filter { Filter(size: rowSize) }
}
