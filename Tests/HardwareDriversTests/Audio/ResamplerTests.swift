import Glibc
import Testing

@testable import CycleCore
@testable import HardwareDrivers
@testable import HardwareSimulation

extension Resampler {
  /// The samples at the new rate, converted in pieces of this many sample frames.
  fileprivate func resample(_ samples: [Int16], channelCount: Int, pieces: [Int] = [4_096]) -> [Int16] {
    let conversion = Conversion(with: self, channelCount: channelCount)
    var result: [Int16] = []
    var (start, next) = (0, 0)
    while start < samples.count {
      let end = min(samples.count, start + pieces[next % pieces.count] * channelCount)
      samples[start..<end].withUnsafeBufferPointer { conversion.add($0, to: &result) }
      (start, next) = (end, next + 1)
    }
    conversion.finish(&result)
    return result
  }
}

@Suite("Changing the rate of a clip")
struct ResamplerTests {
  /// A sine at a level below full scale, so that nothing is cut.
  private func sine(_ hertz: Double, rate: Int, seconds: Double = 0.5, level: Double = 0.8) -> [Int16] {
    (0..<Int(Double(rate) * seconds)).map {
      Int16((sin(2 * .pi * hertz * Double($0) / Double(rate)) * 32_767 * level).rounded())
    }
  }

  /// How strong a sine of this frequency is in the middle of the samples, and what else is there, both in decibels.
  private func analyze(_ samples: [Int16], _ hertz: Double, rate: Int, level: Double = 0.8) -> (
    gain: Double, rest: Double
  ) {
    let middle = samples[(samples.count / 4)..<(samples.count * 3 / 4)]
    // Least squares of a sine and a cosine.
    var (ss, cc, sc, xs, xc) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (index, sample) in zip(middle.indices, middle) {
      let angle = 2 * .pi * hertz * Double(index) / Double(rate)
      let (s, c) = (sin(angle), cos(angle))
      ss += s * s
      cc += c * c
      sc += s * c
      xs += Double(sample) * s
      xc += Double(sample) * c
    }
    let determinant = ss * cc - sc * sc
    let (a, b) = ((xs * cc - xc * sc) / determinant, (xc * ss - xs * sc) / determinant)
    var rest = 0.0
    for (index, sample) in zip(middle.indices, middle) {
      let angle = 2 * .pi * hertz * Double(index) / Double(rate)
      let difference = Double(sample) - a * sin(angle) - b * cos(angle)
      rest += difference * difference
    }
    let amplitude = (a * a + b * b).squareRoot()
    return (
      20 * log10(amplitude / (32_767 * level)),
      10 * log10(rest / Double(middle.count) * 2 / (amplitude * amplitude))
    )
  }

  @Test(
    "a sine keeps its level to 0.1 dB, and what is added to it stays 90 dB below",
    arguments: [
      (44_100, 48_000), (48_000, 44_100), (22_050, 48_000), (8_000, 48_000), (44_101, 48_000), (191_999, 48_000),
    ],
    [0.02, 0.1, 0.25, 0.4])
  func sines(_ rates: (from: Int, to: Int), _ fraction: Double) {
    let hertz = fraction * Double(min(rates.from, rates.to))
    let result = Resampler(from: rates.from, to: rates.to)
      .resample(sine(hertz, rate: rates.from), channelCount: 1)
    let (gain, rest) = analyze(result, hertz, rate: rates.to)
    #expect(abs(gain) < 0.1)
    // 16 bits alone make -96 dB of a sine at this level.
    #expect(rest < -90)
  }

  @Test("what the lower rate can't hold is gone, and doesn't come back as another tone")
  func alias() {
    // Above half of 8 kHz.
    let result = Resampler(from: 48_000, to: 8_000).resample(sine(6_000, rate: 48_000), channelCount: 1)
    #expect(result[400..<3600].allSatisfy { abs(Int($0)) <= 1 })
  }

  @Test("silence stays silence, a steady level stays where it is")
  func steady() {
    let resampler = Resampler(from: 44_100, to: 48_000)
    #expect(resampler.resample([Int16](repeating: 0, count: 1000), channelCount: 2).allSatisfy { $0 == 0 })
    let level = resampler.resample([Int16](repeating: 12_345, count: 1000), channelCount: 1)
    #expect(level[100..<900].allSatisfy { $0 == 12_345 })
  }

  @Test("a clip is as long as before, to the sample frame", arguments: [0, 1, 2, 441, 44_100])
  func length(_ count: Int) {
    let result = Resampler(from: 44_100, to: 48_000).resample([Int16](repeating: 1, count: 2 * count), channelCount: 2)
    #expect(result.count == 2 * ((count * 48_000 + 44_099) / 44_100))
  }

  @Test(
    "no two rates make a table of more than 1 MB", arguments: [(767_999, 48_000), (1009, 48_000), (767_999, 8_000)])
  func table(_ rates: (from: Int, to: Int)) {
    #expect(Resampler(from: rates.from, to: rates.to).tableSize <= 1 << 18)
  }

  @Test(
    "9.19: pieces of any size give what the whole gives, byte for byte",
    arguments: [[1], [7], [480], [4_801], [1, 3_000, 0, 7]],
    [(44_100, 48_000), (48_000, 44_100), (8_000, 191_999), (96_000, 8_000)])
  func pieces(_ pieces: [Int], _ rates: (from: Int, to: Int)) {
    var generator = SeededGenerator(seed: UInt64(rates.from))
    let samples = (0..<6_000).map { _ in Int16.random(in: .min ... .max, using: &generator) }
    let resampler = Resampler(from: rates.from, to: rates.to)
    let whole = resampler.resample(samples, channelCount: 2, pieces: [3_000])
    #expect(whole.count == 2 * resampler.length(of: 3_000))
    #expect(resampler.resample(samples, channelCount: 2, pieces: pieces) == whole)
  }

  @Test("channels don't mix")
  func channels() {
    let left = sine(1000, rate: 44_100, seconds: 0.05)
    let both = left.flatMap { sample -> [Int16] in [sample, 0] }
    let resampler = Resampler(from: 44_100, to: 48_000)
    let result = resampler.resample(both, channelCount: 2)
    #expect(stride(from: 1, to: result.count, by: 2).allSatisfy { result[$0] == 0 })
    #expect(
      stride(from: 0, to: result.count, by: 2).map { result[$0] } == resampler.resample(left, channelCount: 1))
  }
}
