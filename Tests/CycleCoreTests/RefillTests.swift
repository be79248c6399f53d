import CycleCore
import TestSupport
import Testing

/// The same frame twice: one that is refilled, one that is copied.
@Suite("Frames that are refilled")
struct RefillTests {
  private struct Copied: Equatable {
    var texts: [String] = []
  }

  private struct Refilled: RefillableFrame {
    final class Count: Sendable {
      nonisolated(unsafe) var refills = 0
    }

    var texts: [String] = []
    let count: Count

    static func == (one: Refilled, other: Refilled) -> Bool { one.texts == other.texts }

    mutating func refill(from other: borrowing Refilled) {
      texts.replaceSubrange(texts.indices, with: other.texts)
      count.refills += 1
    }
  }

  /// Takes in six events, of which one changes nothing: what each met, how far back it could look, and what was shown.
  private func run<Frame: Equatable>(
    _ texts: WritableKeyPath<Frame, [String]>,
    _ make: (Probe, @escaping Lens<Frame, Probe>.FrameFilter, @escaping Lens<Frame, Probe>.PastEventFilter) throws ->
      Void
  ) rethrows -> [String] {
    let probe = Probe("probe")
    probe.onStart = { context in for event in ["a", "b", "", "c", "d", "e"] { context.emit(.value(event)) } }
    var met: [String] = []
    try make(
      probe, { $0[keyPath: texts].joined() },
      { frame, event, past in
        met.append(
          (0..<4).map { age in past[age].map { $0[keyPath: texts].joined() } ?? "–" }.joined(separator: " "))
        if case .value(let text) = event, !text.isEmpty { frame[keyPath: texts].append(text) }
      })
    return met + probe.log.lines
  }

  @Test("a refilled frame goes round as one that is copied does, with the same past")
  func sameRecording() throws {
    let count = Refilled.Count()
    let refilled = try run(\Refilled.texts) { probe, show, on in
      try Cycle(seed: Refilled(count: count), history: 3) { Lens(probe, show: show, on: on) }.start(on: VirtualLoop())
    }
    let copied = try run(\Copied.texts) { probe, show, on in
      try Cycle(seed: Copied(), history: 3) { Lens(probe, show: show, on: on) }.start(on: VirtualLoop())
    }
    #expect(refilled == copied)
    #expect(refilled[3] == "ab a  –")
    #expect(refilled[5] == "abcd abc ab –")
    #expect(count.refills == 6, "one for each event, whether it changes anything or not")
  }
}
