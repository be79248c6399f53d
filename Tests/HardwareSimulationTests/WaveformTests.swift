import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Waveform")
struct WaveformTests {
  private let step = Duration.milliseconds(1)

  @Test(
    "a line that is driven with a wave draws the same wave",
    arguments: ["___#_########____", "#", "_", "#_#_#_#_", "########", "____ ####"])
  func roundTrip(text: String) throws {
    let bench = Bench()
    let line = SimulatedChip(bench).line("GPIO4")
    let wave = Waveform(text, step: step)
    wave.drive(line, on: bench)
    try bench.advance(by: wave.length)
    #expect(Waveform(of: line, steps: wave.text.count, step: step) == wave)
  }

  @Test("a line that is let go follows its pull, low where it has none")
  func letGo() throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let request = try chip.request([LineConfiguration("GPIO4", .input(.pullUp))], consumer: "test")
    Waveform("--__--##--", step: step).drive(chip.line("GPIO4"), on: bench)
    Waveform("--__--##--", step: step).drive(chip.line("GPIO5"), on: bench)
    try bench.advance(by: .milliseconds(10))
    #expect(Waveform(of: chip.line("GPIO4"), steps: 10, step: step).text == "##__######")
    #expect(Waveform(of: chip.line("GPIO5"), steps: 10, step: step).text == "______##__")
    request.release()
    #expect(chip.heldLines == 0)
  }

  @Test("a change within a step is shown as one")
  func coarse() throws {
    let bench = Bench()
    let line = SimulatedChip(bench).line("GPIO4")
    Waveform("____#_______##########", step: .microseconds(500)).drive(line, on: bench)
    try bench.advance(by: .milliseconds(11))
    #expect(Waveform(of: line, steps: 11, step: step).text == "__|___#####")
    #expect(Waveform(of: line, steps: 11, step: .milliseconds(4)).text == "||#########")
  }

  @Test("a drawing may begin later")
  func later() throws {
    let bench = Bench()
    let line = SimulatedChip(bench).line("GPIO4")
    try bench.advance(by: .milliseconds(3))
    Waveform("_##_", step: step).drive(line, on: bench)
    try bench.advance(by: .milliseconds(4))
    #expect(Waveform(of: line, from: .zero + .milliseconds(3), steps: 4, step: step).text == "_##_")
    #expect(Waveform(of: line, from: .zero + .milliseconds(5), steps: 4, step: step).text == "#___")
  }

  @Test("marks stand in the step of their moment; more than one is a plus")
  func marks() {
    let marks: [(moment: Moment, mark: Character)] = [
      (Moment(nanoseconds: 999_999), "P"), (Moment(nanoseconds: 3_000_000), "R"), (Moment(nanoseconds: 3_500_000), "C"),
      (Moment(nanoseconds: 99_000_000), "X"),
    ]
    #expect(Waveform(marks: marks, steps: 6, step: step).text == "P..+..")
    #expect(Waveform(marks: marks, from: .zero + .milliseconds(2), steps: 2, step: step).text == ".+")
    #expect(Waveform(marks: [], steps: 0, step: step).text == "")
  }
}
