import CycleCore
import Testing

@Suite("Moment")
struct MomentTests {
  @Test(
    "the next multiple of a period is after the moment, at most a period later",
    arguments: [
      (0, 600, 600), (1, 600, 600), (599, 600, 600), (600, 600, 1_200), (601, 600, 1_200), (-1, 600, 0),
      (-600, 600, 0), (-601, 600, -600), (7, 1, 8),
    ])
  func nextMultiple(moment: Int64, period: Int64, next: Int64) {
    #expect(Moment(nanoseconds: moment).next(multipleOf: .nanoseconds(period)) == Moment(nanoseconds: next))
  }

  @Test("the next multiple after the clock's end is the distant future")
  func end() {
    #expect(Moment.distantFuture.next(multipleOf: .seconds(600)) == .distantFuture)
  }
}
