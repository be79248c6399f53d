import Testing

@testable import CycleCore

@Suite("OutputRewrites")
struct OutputRewritesTests {
  private func at(_ seconds: Int) -> Moment { .zero + .seconds(seconds) }

  @Test("a model that rests is written at multiples of the interval, one that changes after a minute")
  func due() {
    var rewrites = OutputRewrites(each: .seconds(600))
    #expect(!rewrites.isDue(at: at(0), isChanging: true) && rewrites.check == .distantFuture)
    rewrites.note(at: at(130))
    #expect(rewrites.check == at(600))
    #expect(!rewrites.isDue(at: at(189), isChanging: true))
    #expect(rewrites.isDue(at: at(190), isChanging: true))
    #expect(!rewrites.isDue(at: at(599), isChanging: false))
    #expect(rewrites.isDue(at: at(600), isChanging: false))
    rewrites.note(at: at(600))
    #expect(rewrites.check == at(1_200))
  }

  @Test("an interval below a minute also holds for a model that changes, and without one nothing is written again")
  func intervals() {
    var short = OutputRewrites(each: .seconds(10))
    short.note(at: at(3))
    #expect(short.isDue(at: at(13), isChanging: true) && !short.isDue(at: at(9), isChanging: true))
    var never = OutputRewrites(each: nil)
    never.note(at: at(3))
    #expect(never.check == nil && !never.isDue(at: at(90_000), isChanging: true))
  }
}
