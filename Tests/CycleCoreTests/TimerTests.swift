import CycleCore
import Testing

@Suite("The timer")
struct TimerTests {
  private typealias Deadline = Timer<String>.Deadline

  /// The deadlines that come in 20 s, each with its second, while the model is `first`, and from second 2 on `second`.
  private func due(_ first: [Deadline], then second: [Deadline]) throws -> [String] {
    var due: [String] = []
    let change = Timer<Int>()
    let cycle = Cycle(seed: first) {
      Lens(
        change, name: "change", show: { $0 == first ? [.after(.seconds(2), 0)] : [] },
        on: { frame, _ in frame = second })
      Lens(
        Timer<String>(), name: "timer", show: { $0 },
        on: { _, event, past in
          if case .due(let id) = event { due.append("\(id)@\(past.moment.nanoseconds / 1_000_000_000)") }
        })
    }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    while let next = cycle.nextAlarm, next <= .zero + .seconds(20) { try cycle.step(until: next) }
    cycle.stop()
    return due
  }

  @Test("a deadline that stays in the model keeps its moment, whatever comes and goes beside it")
  func stays() throws {
    #expect(
      try due([.after(.seconds(5), "a")], then: [.after(.seconds(1), "b"), .after(.seconds(5), "a")]) == ["b@3", "a@5"])
  }

  @Test("one of the same name with another span, another moment or another restart begins anew")
  func again() throws {
    let five = [Deadline.after(.seconds(5), "a")]
    #expect(try due(five, then: [.after(.seconds(6), "a")]) == ["a@8"])
    #expect(try due(five, then: [.after(.seconds(5), "a", restart: 1)]) == ["a@7"])
    #expect(try due(five, then: [.at(.zero + .seconds(9), "a")]) == ["a@9"])
    #expect(try due([.at(.zero + .seconds(5), "a")], then: [.at(.zero + .seconds(4), "a")]) == ["a@4"])
  }

  @Test("one that leaves the model does not come")
  func leaves() throws {
    #expect(try due([.after(.seconds(5), "a")], then: []) == [])
  }
}
