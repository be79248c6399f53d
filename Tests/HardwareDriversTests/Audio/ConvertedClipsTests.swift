import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Clips at the device's rate")
struct ConvertedClipsTests {
  private func clip(rate: Int) -> Clip {
    Clip(samples: [Int16](repeating: 100, count: 441), channelCount: 1, sampleRateHertz: rate)
  }

  /// The clips, what was asked for, and the worker that is asked.
  private final class Desk {
    var clips: ConvertedClips
    var waiting: [ClipConversion] = []
    var count = 0

    init(preparing clips: [Clip]) { self.clips = ConvertedClips(preparing: clips) }

    func request(_ conversion: ClipConversion) -> Bool {
      waiting.append(conversion)
      return true
    }

    /// Has everything converted that was asked for.
    func work() throws {
      for conversion in waiting {
        count += 1
        let result = try #require(try conversion.clip.resampled(to: conversion.rate))
        _ = clips.take(ConvertedClip(clip: conversion.clip, rate: conversion.rate, result: .success(result)))
      }
      waiting = []
    }

    /// The length of the clip at the rate; nil while it is being converted.
    func length(_ clip: Clip) -> Int? {
      if case .ready(let clip) = clips.convert(clip, request) { clip.length } else { nil }
    }
  }

  @Test("what is prepared is converted when the rate is known, and not again")
  func prepares() throws {
    let known = [clip(rate: 44_100), clip(rate: 48_000)]
    let desk = Desk(preparing: known)
    desk.clips.setRate(48_000)
    desk.clips.prepare(desk.request)
    #expect(desk.length(known[0]) == nil)
    try desk.work()
    #expect(desk.length(known[0]) == 480)
    #expect(desk.length(known[1]) == 441)
    #expect(desk.count == 1)
    desk.clips.setRate(44_100)
    desk.clips.prepare(desk.request)
    try desk.work()
    #expect(desk.count == 2)
    #expect(desk.length(known[1]) == 406)
  }

  @Test("of others the last 64 are kept, and what is prepared stays")
  func keeps() throws {
    let known = clip(rate: 22_050)
    let desk = Desk(preparing: [known])
    desk.clips.setRate(48_000)
    desk.clips.prepare(desk.request)
    let others = (0..<65).map { _ in clip(rate: 44_100) }
    for other in others { _ = desk.length(other) }
    try desk.work()
    #expect(desk.count == 66)
    #expect(desk.length(known) != nil)
    #expect(desk.length(others[1]) != nil)
    #expect(desk.length(others[0]) == nil)
  }

  @Test("a result for a rate that the device no longer has is not taken")
  func late() throws {
    let known = clip(rate: 22_050)
    let desk = Desk(preparing: [known])
    desk.clips.setRate(48_000)
    desk.clips.prepare(desk.request)
    desk.clips.setRate(44_100)
    try desk.work()
    #expect(desk.length(known) == nil)
    try desk.work()
    #expect(desk.length(known) == 882)
  }

  @Test("what would be too large says so, and how large")
  func tooLarge() {
    let long = Clip(samples: [Int16](repeating: 0, count: 300_000), channelCount: 1, sampleRateHertz: 1000)
    #expect {
      _ = try long.resampled(to: 768_000)
    } throws: {
      "\($0)"
        == "cannot convert a sound of 300 s to 768000 Hz: it needs 439 MB; the limit is 256 MB. "
        + "Cut the sound, or play it at a lower rate."
    }
  }

  @Test("a conversion ends when it is told to")
  func ends() throws {
    let long = Clip(samples: [Int16](repeating: 0, count: 100_000), channelCount: 1, sampleRateHertz: 1000)
    var asked = 0
    let result = try long.resampled(to: 48_000) {
      asked += 1
      return asked == 3
    }
    #expect(result == nil)
    #expect(asked == 3)
  }
}
