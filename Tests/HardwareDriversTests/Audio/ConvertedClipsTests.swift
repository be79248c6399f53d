import Testing

@testable import HardwareDrivers

@Suite("Clips at the device's rate")
struct ConvertedClipsTests {
  private func clip(rate: Int) -> Clip {
    Clip(samples: [Int16](repeating: 100, count: 441), channelCount: 1, sampleRateHertz: rate)
  }

  @Test("what is prepared is converted when the rate is known, and not again")
  func prepares() {
    let known = [clip(rate: 44_100), clip(rate: 48_000)]
    var clips = ConvertedClips(preparing: known)
    clips.setRate(48_000)
    #expect(clips.count == 1)
    #expect(clips.convert(known[0]).length == 480)
    #expect(clips.convert(known[1]) === known[1])
    #expect(clips.count == 1)
    clips.setRate(44_100)
    #expect(clips.count == 2)
    #expect(clips.convert(known[1]).length == 406)
    #expect(clips.count == 2)
  }

  @Test("of others the last 64 are kept, and what is prepared stays")
  func keeps() {
    let known = clip(rate: 22_050)
    var clips = ConvertedClips(preparing: [known])
    clips.setRate(48_000)
    let others = (0..<65).map { _ in clip(rate: 44_100) }
    for other in others { _ = clips.convert(other) }
    #expect(clips.count == 66)
    _ = clips.convert(known)
    _ = clips.convert(others[1])
    #expect(clips.count == 66)
    _ = clips.convert(others[0])
    #expect(clips.count == 67)
  }
}
