import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

@Suite("What several lines did, as text")
struct LogicTraceTests {
  private let bench = Bench()

  @Test("by change there is a column for the beginning and for each moment at which one of the lines changed")
  func byChange() throws {
    let chip = SimulatedChip(bench)
    let (clock, data) = (chip.line("GPIO11"), chip.line("GPIO9"))
    let step = Duration.microseconds(10)
    Waveform("_#_#_#_", step: step).drive(clock, on: bench)
    Waveform("___####", step: step).drive(data, on: bench)
    try bench.advance(by: .milliseconds(1))
    let waves = LogicTrace(of: [clock, data])
    #expect(waves.description == "GPIO11  _#_#_#_\nGPIO9   ___####")
    #expect(waves.moments == (0...6).map { Moment.zero + step * $0 })
    #expect(LogicTrace(of: [data], from: .zero + step * 4)["GPIO9"] == "#")
  }

  @Test("clocked there is a column for each edge, and a line that changes with the edge is doubtful")
  func clocked() throws {
    let chip = SimulatedChip(bench)
    let (clock, data) = (chip.line("GPIO11"), chip.line("GPIO9"))
    let step = Duration.microseconds(10)
    Waveform("_#_#_#_#", step: step).drive(clock, on: bench)
    Waveform("##__##_#", step: step).drive(data, on: bench)
    try bench.advance(by: .milliseconds(1))
    #expect(LogicTrace(of: [data], clockedBy: clock)["GPIO9"] == "#_#|")
    #expect(LogicTrace(of: [data], clockedBy: clock, on: .falling)["GPIO9"] == "|||")
    #expect(LogicTrace(of: [data], clockedBy: clock, from: .zero + step * 4)["GPIO9"] == "#|")
  }

  @Test("what a shift register is sent can be read as bytes")
  func bytes() throws {
    let chip = SimulatedChip(bench)
    let trial = DriverBench(
      ShiftRegister(chip, data: "GPIO10", clock: "GPIO11", latch: "GPIO8", settings: .init(chipCount: 2)), showing: [],
      on: bench)
    try trial.start()
    try bench.advance(by: .milliseconds(10))
    let beginning = bench.now
    try trial.show(LineValues(rawValue: 0b1010_0101_1111_0001))
    try bench.advance(by: .milliseconds(10))
    let waves = LogicTrace(of: [chip.line("GPIO10")], clockedBy: chip.line("GPIO11"), from: beginning)
    #expect(waves.bytes(of: "GPIO10") == [0b1010_0101, 0b1111_0001], "the last chip's byte goes first")
    trial.stop()
  }
}
