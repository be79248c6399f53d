import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import Testing

@Suite("A chip whose edges are recorded")
struct EdgeRecordingChipTests {
  /// Lines that are requested through a recorded chip in an application that is recorded.
  private struct Stage {
    let bench = Bench()
    let chip: SimulatedChip
    let memory = RecordingBuffer()

    init(_ generation: SimulatedChip.Generation) { chip = SimulatedChip(bench, generation: generation) }

    /// The edges in the recording of a button whose contact is moved.
    func edges(bounce: Duration) throws -> [String] {
      let recorder = Recorder(app: "key", to: memory)
      let recorded = EdgeRecordingChip(chip, recorder: recorder) { [bench] in bench.now }
      let cycle = Cycle(seed: 0) {
        Lens(Button(recorded, line: "GPIO17"), name: "key", on: { count, _ in count += 1 })
        Lens(LED(recorded, line: "GPIO23"), name: "lamp", show: { _ in .off })
      }
      try cycle.record(with: recorder)
      let contact = chip.contact(at: "GPIO17")
      contact.bounce = bounce
      try bench.run(cycle)
      try contact.press()
      try bench.advance(by: .milliseconds(100))
      try contact.release()
      try bench.advance(by: .milliseconds(100))
      bench.stop()
      #expect(chip.heldLines == 0)
      return memory.text.split(separator: "\n").filter { $0.hasPrefix("[\"g\"") }.map(String.init)
    }
  }

  @Test(
    "has the level at the request and each change of it, whether the kernel debounces and numbers edges or not",
    arguments: SimulatedChip.Generation.allCases)
  func edges(generation: SimulatedChip.Generation) throws {
    #expect(
      try Stage(generation).edges(bounce: .zero) == [
        "[\"g\",0,\"GPIO17\",1,0]", "[\"g\",0,\"GPIO17\",0,1]", "[\"g\",100000000,\"GPIO17\",1,2]",
      ])
  }

  @Test("has each bounce that the kernel doesn't suppress")
  func bounces() throws {
    let edges = try Stage(.first).edges(bounce: .milliseconds(3))
    #expect(edges.count > 5)
    #expect(edges.indices.allSatisfy { edges[$0].hasSuffix(",\($0)]") })
    let levels = edges.map { $0.contains("\"GPIO17\",1,") }
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 != $1 })
  }
}
