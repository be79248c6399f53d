import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// Renders a thousand texts to a display of 16×2. Checks that the controller is never written to while it is busy, and
/// that each text arrives unchanged.
func lateCharacterDisplay() throws -> Outcome {
  let bench = Bench(loop: try LinuxLoop())
  let chip = SimulatedChip(bench)
  let data: [LineName] = ["GPIO23", "GPIO17", "GPIO27", "GPIO22"]
  let part = SimulatedCharacterDisplay(on: chip, registerSelect: "GPIO25", enable: "GPIO24", data: data)
  let device = CharacterDisplay(chip, registerSelect: "GPIO25", enable: "GPIO24", data: data)
  let trial = DriverBench(device, showing: CharacterScreen(), on: bench)
  try trial.start()
  try bench.advance(by: .milliseconds(200))
  let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
  var wrong: [String] = []
  var spans: [Duration] = []
  for number in 0..<1_000 {
    let text = String((0..<16).map { letters[(number + $0 * 7) % letters.count] })
    let rows = [text, String(text.reversed())]
    let start = bench.now
    try trial.show(CharacterScreen(rows))
    while part.rows != rows, bench.now - start < .seconds(10) { try bench.advance(by: .milliseconds(1)) }
    spans.append(bench.now - start)
    if part.rows != rows { wrong.append("text \(number) is \(part.rows), not \(rows)") }
  }
  trial.stop()
  wrong += part.faults + trial.troubles.map { "\($0)" }
  if chip.heldLines > 0 { wrong.append("\(chip.heldLines) lines are held at the end") }
  spans.sort()
  let note =
    "\(part.byteCount) bytes; a text took \(milliseconds(spans[0])) to \(milliseconds(spans[999])) ms, "
    + "half of them up to \(milliseconds(spans[500])) ms"
  return Outcome(device: "CharacterDisplay", count: spans.count, what: "texts", wrong: wrong, note: note)
}
