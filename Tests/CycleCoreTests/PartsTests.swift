import CycleCore
import TestSupport
import Testing

@Suite("Lenses of the elements of a part of the frame")
struct PartsTests {
  struct Wall: Equatable {
    var count = 0
    var lamps: Bits
    var texts: [String]

    init(_ count: Int) {
      lamps = Bits(count: count)
      texts = Array(repeating: "", count: count)
    }
  }

  @Test("elements are rendered where they have changed, and show what lenses of the whole frame show")
  func sameAsTheWhole() throws {
    for seed in UInt64(0)..<60 {
      var chance = SeededGenerator(seed: seed)
      let count = Int.random(in: 1...200, using: &chance)
      let (parts, whole) = (Log(), Log())
      let (button, other) = (Probe("button"), Probe("button"))
      func change(_ wall: inout Wall, _ event: Probe.Event) {
        guard case .value(let text) = event else { return }
        wall.count += 1
        for index in text.split(separator: " ").compactMap({ Int($0) }) {
          wall.lamps[index].toggle()
          if index % 3 == 0 { wall.texts[index] += "x" }
        }
      }
      let first = Cycle(seed: Wall(count)) {
        Lens(button, show: { _ in "" }, on: { wall, event in change(&wall, event) })
        Parts(\.lamps, count: count) { index in
          Lens(Probe("lamp \(index)", parts), show: { $0 ? "on" : "off" })
        }
        Parts(\.texts, count: count) { index in Lens(Probe("text \(index)", parts), show: { $0 }) }
      }
      let second = Cycle(seed: Wall(count)) {
        Lens(other, show: { _ in "" }, on: { wall, event in change(&wall, event) })
        LensList(count: count) { index in
          Lens(Probe("lamp \(index)", whole), show: { (wall: Wall) in wall.lamps[index] ? "on" : "off" })
        }
        LensList(count: count) { index in
          Lens(Probe("text \(index)", whole), show: { (wall: Wall) in wall.texts[index] })
        }
      }
      try first.start(on: VirtualLoop())
      try second.start(on: VirtualLoop())
      for _ in 0..<20 {
        let indices = (0..<Int.random(in: 0...5, using: &chance)).map { _ in
          Int.random(in: 0..<count, using: &chance)
        }
        let text = indices.map(String.init).joined(separator: " ")
        for (probe, cycle) in [(button, first as any Application), (other, second)] {
          probe.emit(text)
          try cycle.step(until: .zero)
        }
      }
      #expect(first.frame == second.frame, "seed \(seed)")
      #expect(parts.lines == whole.lines, "seed \(seed)")
      first.stop()
      second.stop()
      #expect(parts.lines == whole.lines, "seed \(seed)")
    }
  }

  @Test("nothing runs for an element that has not changed")
  func skipping() throws {
    let button = Probe("button")
    var shows: [Int] = []
    let cycle = Cycle(seed: Wall(100)) {
      Lens(
        button, show: { _ in "" },
        on: { wall, event in
          if case .value(let text) = event { wall.lamps[Int(text)!].toggle() }
          wall.count += 1
        })
      Parts(\.lamps, count: 100) { index in
        Lens(
          Probe("\(index)"),
          show: { isLit in
            shows.append(index)
            return "\(isLit)"
          })
      }
    }
    try cycle.start(on: VirtualLoop())
    shows = []
    for text in ["7", "99", "7"] {
      button.emit(text)
      try cycle.settle()
    }
    #expect(shows == [7, 99, 7])
    cycle.stop()
  }

  @Test("an element's lenses change it, look back on it, and are told of their own trouble")
  func events() throws {
    let probes = (0..<3).map { Probe("\($0)") }
    var seen: [[String?]] = []
    let cycle = Cycle(seed: Wall(3), history: 3) {
      Parts(\.texts, count: 3) { index in
        Lens(
          probes[index], show: { $0 },
          on: { text, event, past in
            seen.append([past[0], past[1], past[2]])
            if case .value(let new) = event { text = new }
          },
          trouble: { text, trouble in if case .failed = trouble { text = "e!" } })
      }
    }
    try cycle.start(on: VirtualLoop())
    for (index, text) in [(0, "a"), (1, "b"), (0, "c"), (0, "d")] {
      probes[index].emit(text)
      try cycle.settle()
    }
    #expect(cycle.frame.texts == ["d", "b", ""])
    #expect(seen == [["", nil, nil], ["", nil, nil], ["a", "", nil], ["c", "a", ""]])
    probes[2].renderError = .broken
    probes[2].emit("e")
    try cycle.settle()
    #expect(cycle.frame.texts == ["d", "b", "e!"], "its trouble came to its own element")
    probes[2].renderError = nil
    #expect(cycle.nextAlarm == .zero + .seconds(1))
    try cycle.step(until: cycle.nextAlarm)
    #expect(probes[2].log.lines.last == "2 →e!", "and what failed is tried again")
    cycle.stop()
  }

  @Test("bits and arrays that follow others become equal to them, and tell where they changed")
  func follow() {
    for seed in UInt64(0)..<100 {
      var chance = SeededGenerator(seed: seed)
      let count = Int.random(in: 0...300, using: &chance)
      var (bits, array) = (Bits(count: count), Array(repeating: false, count: count))
      var (others, otherArray) = (bits, array)
      for _ in 0..<Int.random(in: 0...20, using: &chance) where count > 0 {
        let index = Int.random(in: 0..<count, using: &chance)
        others[index] = Bool.random(using: &chance)
        otherArray[index] = others[index]
      }
      let expected = (0..<count).filter { bits[$0] != others[$0] }
      var (found, foundInArray): ([Int], [Int]) = ([], [])
      bits.follow(others) { found.append($0) }
      array.follow(otherArray) { foundInArray.append($0) }
      #expect(found == expected && foundInArray == expected, "seed \(seed)")
      #expect(bits == others && array == otherArray, "seed \(seed)")
    }
  }
}
