import CycleCore
import HardwareDrivers
import HardwareSimulation

typealias OneWireCase = Case<any OneWireStand>

extension Case where Stand == any OneWireStand {
  static let all = [
    OneWireCase("a 1-wire thermometer measures, is silent for a while, goes away and comes back") { stand, findings in
      let trial = try Trial(
        Sensor(OneWireThermometer(stand.sensor)), showing: .every(.seconds(1)), on: stand.bench)
      try stand.pass(2500)
      findings.expect(trial.rawEvents == [.reading(0)], "0 °C is told once: \(trial.events)")
      func troubles() -> [String] { trial.events.filter { !$0.hasPrefix("reading") } }
      try stand.answer(false)
      try stand.pass(2500)
      findings.equal("troubles", troubles(), ["failed"])
      if case .failed(let error)? = trial.troubles.last {
        let text = "\(error)"
        findings.expect(
          text.hasPrefix("cannot read the thermometer 28-0000000000a1: it gave no reply"),
          "the sensor is named: \(text)")
      }
      try stand.answer(true)
      try stand.pass(5000)
      findings.equal("troubles", troubles(), ["failed", "restored"])
      try stand.unplug()
      try stand.pass(2500)
      findings.equal("troubles", troubles(), ["failed", "restored", "lost"])
      try stand.plug()
      try stand.pass(5000)
      findings.equal("troubles", troubles(), ["failed", "restored", "lost", "restored"])
      // The first number after trouble is always told.
      findings.equal("numbers", trial.rawEvents, [.reading(0), .reading(0), .reading(0)])
    },
    OneWireCase("a 1-wire thermometer that isn't there is told at the start by its name") { stand, findings in
      try stand.unplug()
      let error = error {
        _ = try Trial(Sensor(OneWireThermometer(stand.sensor)), showing: .every(.seconds(1)), on: stand.bench)
      }
      findings.equal("kind", error?.kind, .absent)
      let text = "\(error.map { "\($0)" } ?? "it is told as there")"
      findings.expect(text.hasPrefix("cannot read the thermometer 28-0000000000a1: there is no such sensor"), text)
    },
  ]
}
