import CycleCore
import TestSupport
import Testing

@Suite("Lenses of a part of the frame")
struct PartTests {
  struct House: Equatable {
    var visitors = 0
    var door = Door()
    var cellar = Door()
  }

  struct Door: Equatable {
    var text = ""
    var isLit = false
  }

  @Test("a part's lenses see and change the part, and others see what they make of it")
  func change() throws {
    let log = Log()
    let (bell, lamp, watcher) = (Probe("bell", log), Probe("lamp", log), Probe("watcher", log))
    let cycle = Cycle(seed: House(), history: 3) {
      Lens(
        watcher, show: { "\($0.visitors) \($0.door.text)" },
        on: { house, event in
          house.visitors += 1
          if case .value(let text) = event { house.cellar.text = text }
        })
      Part(\.door) {
        Lens(bell, show: { _ in "" }, on: { door, event in if case .value(let text) = event { door.text += text } })
      }
      Part(\.cellar) { Lens(lamp, show: { $0.text }, on: { cellar, _ in cellar.isLit.toggle() }) }
    }
    try cycle.start(on: VirtualLoop())
    bell.emit("a")
    try cycle.settle()
    #expect(cycle.frame == House(visitors: 0, door: Door(text: "a"), cellar: Door()))
    watcher.emit("b")
    try cycle.settle()
    #expect(cycle.frame == House(visitors: 1, door: Door(text: "a"), cellar: Door(text: "b")))
    lamp.emit("")
    try cycle.settle()
    #expect(cycle.frame.cellar == Door(text: "b", isLit: true))
    cycle.stop()
    #expect(
      log.lines.filter { $0.contains("→") } == [
        "watcher nil→0 ", "bell nil→", "lamp nil→", "watcher 0 →0 a", "watcher 0 a→1 a", "lamp →b", "lamp b→safe",
        "bell →safe", "watcher 1 a→safe",
      ])
  }

  @Test("nothing of a part's lenses runs at a frame in which the part is the same")
  func skipping() throws {
    let (bell, lamp) = (Probe("bell"), Probe("lamp"))
    var shows = 0
    let cycle = Cycle(seed: House()) {
      Lens(
        bell, show: { _ in "" },
        on: { house, event in
          if case .value("door") = event { house.door.text += "!" } else { house.visitors += 1 }
        })
      Part(\.door) {
        Lens(
          lamp,
          show: { door in
            shows += 1
            return door.text
          })
      }
    }
    try cycle.start(on: VirtualLoop())
    let atStart = shows
    for _ in 0..<5 { bell.emit("visitor") }
    try cycle.settle()
    #expect(cycle.frame.visitors == 5)
    #expect(shows == atStart)
    bell.emit("door")
    try cycle.settle()
    #expect(shows == atStart + 1)
    #expect(lamp.log.lines.last == "lamp →!")
    cycle.stop()
  }

  @Test("a part's filters look back on the part: what it was before, whoever changed it")
  func past() throws {
    let (bell, hall) = (Probe("bell"), Probe("hall"))
    var seen: [[String?]] = []
    let cycle = Cycle(seed: House(), history: 3) {
      Lens(
        hall, show: { _ in "" },
        on: { house, event in
          house.visitors += 1
          if case .value("repaint") = event { house.door.text = "red" }
        })
      Part(\.door) {
        Lens(
          bell, show: { _ in "" },
          on: { door, event, past in
            seen.append([past[0]?.text, past[1]?.text, past[2]?.text])
            if case .value(let text) = event { door.text = text }
          })
      }
    }
    try cycle.start(on: VirtualLoop())
    for (probe, text) in [(bell, "a"), (hall, ""), (hall, ""), (bell, "b"), (hall, "repaint"), (bell, "c")] {
      probe.emit(text)
      try cycle.settle()
    }
    #expect(seen == [["", nil, nil], ["a", "", nil], ["red", "b", "a"]])
    #expect(cycle.frame.door.text == "c")
    cycle.stop()
  }
}
