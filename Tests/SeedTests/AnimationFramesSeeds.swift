import CycleCore
import Signals
import Stores
import Testing

@Suite("Animations: every timeline")
struct AnimationFramesSeeds {
  /// The frames after each step.
  private func timeline(_ reel: AnimationQueue<Int>, _ steps: [(inout AnimationQueue<Int>) -> Void]) -> [[Int]] {
    var reel = reel
    return steps.map { step in
      step(&reel)
      return Array(reel.frames)
    }
  }

  private func tick(_ reel: inout AnimationQueue<Int>) { reel.tick() }
  private func cancel(_ reel: inout AnimationQueue<Int>) { reel.cancel() }

  private func append(_ target: Int) -> (inout AnimationQueue<Int>) -> Void {
    { $0.append { path(from: $0, to: target) } }
  }

  private func intercept(_ target: Int) -> (inout AnimationQueue<Int>) -> Void {
    { $0.intercept { path(from: $0, to: target) } }
  }

  @Test("Timeline: intercepted, from 1")
  func intercepted() {
    #expect(
      timeline(AnimationQueue(1), [intercept(5), tick, intercept(0), tick, intercept(4), tick, tick, tick, tick]) == [
        [1, 2, 3, 4, 5], [2, 3, 4, 5], [2, 1, 0], [1, 0], [1, 2, 3, 4], [2, 3, 4], [3, 4], [4], [4],
      ])
  }

  @Test("Timeline: appended, from 0")
  func appended() {
    #expect(
      timeline(
        AnimationQueue(0), [append(3), tick, append(0), tick, append(3), tick, tick, tick, tick, tick, tick, tick])
        == [
          [0, 1, 2, 3], [1, 2, 3], [1, 2, 3, 2, 1, 0], [2, 3, 2, 1, 0], [2, 3, 2, 1, 0, 1, 2, 3],
          [3, 2, 1, 0, 1, 2, 3], [2, 1, 0, 1, 2, 3], [1, 0, 1, 2, 3], [0, 1, 2, 3], [1, 2, 3], [2, 3], [3],
        ])
  }

  @Test("Timeline: removed, from 0")
  func removed() {
    #expect(timeline(AnimationQueue(0), [append(4), tick, cancel]) == [[0, 1, 2, 3, 4], [1, 2, 3, 4], [1]])
  }

  @Test("Timeline: suspended, ticks are ignored until it is resumed")
  func suspended() {
    var reel = AnimationQueue(1, [2, 3])
    reel.suspend()
    reel.tick()
    #expect(Array(reel.frames) == [1, 2, 3])
    #expect(reel.deadlines(every: .milliseconds(16), as: 0) == [])
    reel.resume()
    reel.tick()
    #expect(Array(reel.frames) == [2, 3])
  }

  @Test(
    "C16: the head of nothing is nil and its tail nothing, which a reel can't be: a lone frame stays, with an empty tail"
  )
  func headAndTail() {
    var reel = AnimationQueue(7)
    let before = reel
    reel.tick()
    #expect(reel == before)
    #expect(reel.head == 7 && reel.last == 7 && reel.tail.isEmpty && !reel.isPlaying)
  }

  @Test(
    "C19: Integer Mutation Animated: ten steps a tap; intercepted on the way, up to 20 and back to 10; appended; disabled until the end"
  )
  func integerMutationAnimated() {
    func tap(_ step: Int, _ reel: inout AnimationQueue<Int>) {
      let target = reel.last + step
      reel.intercept { path(from: $0, to: target) }
    }
    var reel = AnimationQueue(0)
    tap(10, &reel)
    #expect(Array(reel.frames) == Array(0...10))
    for _ in 0..<3 { reel.tick() }
    tap(10, &reel)
    #expect(Array(reel.frames) == Array(3...20))
    reel.tick()
    reel.tick()
    tap(-10, &reel)
    #expect(Array(reel.frames) == Array(5...10))

    var appended = AnimationQueue(3)
    appended.append { path(from: $0, to: $0 + 10) }
    #expect(Array(appended.frames) == Array(3...13))

    struct Picture: Equatable {
      var total = 0
      var isEnabled = true
    }
    var disabled = AnimationQueue(Picture())
    disabled.append { path(from: $0.total, to: 10).map { Picture(total: $0, isEnabled: $0 == 10) } }
    var enabled: [Int] = []
    for _ in 0...10 {
      if disabled.head.isEnabled { enabled.append(disabled.head.total) }
      disabled.tick()
    }
    #expect(enabled == [0, 10])

    var still = AnimationQueue(4)
    still.intercept { path(from: $0, to: 4) }
    #expect(Array(still.frames) == [4])
  }

  @Test("C20: cancel keeps the head, finish jumps to the last frame")
  func cancelAndFinish() {
    var reel = AnimationQueue(0, [1, 2, 3])
    reel.tick()
    var finished = reel
    reel.cancel()
    #expect(Array(reel.frames) == [1])
    finished.finish()
    #expect(Array(finished.frames) == [3])
  }
}
