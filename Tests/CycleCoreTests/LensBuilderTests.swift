import CycleCore
import TestSupport
import Testing

@Suite("Putting lenses together")
struct LensBuilderTests {
  private func lens(_ name: String, _ log: Log) -> Lens<String, Probe> {
    Lens(
      Probe(name, log), name: name, show: { $0 },
      on: { frame, event in
        if case .value(let value) = event { frame += value }
      })
  }

  /// What each lens is called, in the order of wiring, and what all rendered.
  private func names<Lenses: LensGroup & ~Copyable>(
    of cycle: Cycle<String, Lenses>
  ) throws -> [String] {
    try cycle.start(on: VirtualLoop())
    defer { cycle.stop() }
    return (0..<cycle.accounts.count).map { cycle.name(of: $0) }
  }

  private func pair(_ log: Log) -> some LensGroup<String> & ~Copyable {
    func build(@LensBuilder<String> _ lenses: () -> Zip<Lens<String, Probe>, Lens<String, Probe>>) -> Zip<
      Lens<String, Probe>, Lens<String, Probe>
    > { lenses() }
    return build {
      lens("c", log)
      lens("d", log)
    }
  }

  @Test("a lens behind an if is wired where the condition holds", arguments: [false, true])
  func optional(has: Bool) throws {
    let log = Log()
    let cycle = Cycle(seed: "") {
      lens("a", log)
      if has { lens("b", log) }
      lens("z", log)
    }
    #expect(try names(of: cycle) == (has ? ["a", "b", "z"] : ["a", "z"]))
    #expect(log.lines.contains("b start ") == has)
    #expect(
      log.lines.filter { $0.hasSuffix("stop") } == (has ? ["z stop", "b stop", "a stop"] : ["z stop", "a stop"]))
  }

  @Test("an if with an else, and a switch, wire one of their branches", arguments: [0, 1, 2])
  func either(choice: Int) throws {
    let log = Log()
    let cycle = Cycle(seed: "") {
      switch choice {
      case 0: lens("a", log)
      case 1:
        lens("b", log)
        lens("c", log)
      default: pair(log)
      }
      if choice == 0 { lens("y", log) } else { lens("z", log) }
    }
    #expect(try names(of: cycle) == [["a", "y"], ["b", "c", "z"], ["c", "d", "z"]][choice])
  }

  @Test("events find their lens in whatever it is nested")
  func events() throws {
    let log = Log()
    let probes = ["1", "2", "3", "4", "5"].map { Probe($0, log) }
    for probe in probes { probe.onStart = { $0.emit(.value(probe.name)) } }
    func lens(_ place: Int) -> Lens<String, Probe> {
      Lens(
        probes[place], show: { _ in "" },
        on: { frame, event in
          if case .value(let value) = event { frame += "\(place)\(value) " }
        })
    }
    let cycle = Cycle(seed: "") {
      if probes.count > 9 { lens(0) }
      lens(0)
      if probes.count > 1 {
        lens(1)
        if probes.count > 2 { lens(2) } else { lens(4) }
      }
      LensList(count: 1) { _ in lens(3) }
      lens(4)
    }
    try cycle.start(on: VirtualLoop())
    #expect(cycle.frame == "01 12 23 34 45 ")
    cycle.stop()
  }
}
