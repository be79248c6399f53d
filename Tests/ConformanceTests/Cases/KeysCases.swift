import CycleCore
import HardwareDrivers
import HardwareSimulation

typealias KeysCase = Case<any KeysStand>

extension Case where Stand == any KeysStand {
  private static var keys: [KeyCode] { ["kp1", "kp2", "enter"].compactMap { KeyCode($0) } }

  static let all = [
    KeysCase("keys that move are events in their order, and keys that are down at the start are found") {
      stand, findings in
      try stand.press(keys[1])
      let trial = try Trial(KeyButtons(stand.device, keys: keys), on: stand.bench)
      findings.equal("found", trial.found, ["released(0)", "pressed(1)", "released(2)"])
      try stand.click(keys[0])
      try stand.release(keys[1])
      try stand.press(keys[2])
      try stand.pass()
      findings.equal("events", trial.events, ["pressed(0)", "released(0)", "released(1)", "pressed(2)"])
      findings.expect(trial.moments == trial.moments.sorted(), "moments: \(trial.moments)")
      stand.bench.stop()
      findings.equal("open devices at the end", stand.openCount, 0)
    },
    KeysCase("an input device that another program has grabbed, that is not there, or that this user may not open") {
      stand, findings in
      let device = "the input device \"\(KernelKeysStand.name)\""
      try expectRefusals(
        of: stand, busy: "cannot grab \(device): another program has grabbed it",
        refused: "cannot open \(device): permission denied", findings
      ) { _ = try stand.device.open(isGrabbed: true) }
      try stand.occupy(true)
      let shared = error { try stand.device.open(isGrabbed: false).close() }
      try stand.occupy(false)
      findings.expect(shared == nil, "it can be opened without a grab: \(String(describing: shared))")
      expect(error { _ = try stand.absentDevice.open(isGrabbed: true) }, .absent, "cannot open ", findings)
      findings.expect(stand.device.isPresent && !stand.absentDevice.isPresent, "only one is there")
      findings.equal("open devices", stand.openCount, 0)
      try stand.device.open(isGrabbed: true).close()
      findings.equal("open devices at the end", stand.openCount, 0)
    },
    KeysCase("a program that reads too late loses presses, is informed, and knows the keys that are down") {
      stand, findings in
      let trial = try Trial(KeyButtons(stand.device, keys: keys), on: stand.bench)
      for _ in 0..<100 { try stand.click(keys[0]) }
      try stand.press(keys[1])
      try stand.pass()
      findings.equal("events", trial.events, ["failed", "pressed(1)"])
      if case .failed(let error)? = trial.troubles.first {
        findings.expect("\(error)".contains("the kernel's queue was full"), "\(error)")
      }
      try stand.release(keys[1])
      try stand.click(keys[0])
      try stand.pass()
      findings.equal("later events", trial.events.suffix(3), ["released(1)", "pressed(0)", "released(0)"])
    },
    KeysCase("a code is read with its zeros, and one of which keys are lost is none") { stand, findings in
      let trial = try Trial(CodeReader(stand.device), on: stand.bench)
      func type(_ digits: String) throws {
        for digit in digits { if let key = KeyCode(String(digit)) { try stand.click(key) } }
        try stand.click(keys[2])
      }
      try type("0008312345")
      try stand.pass()
      findings.equal("events", trial.events, ["read(\"0008312345\")"])
      for _ in 0..<100 { try stand.click(keys[0]) }
      try type("1")
      try stand.pass(2_000)
      try type("0042")
      try stand.pass()
      findings.equal("later events", trial.events.dropFirst(), ["failed", "read(\"0042\")"])
    },
    KeysCase(
      "an input device that goes away 200 times with a key down is lost, its key is released, and it is restored"
    ) {
      stand, findings in
      let trial = try Trial(KeyButtons(stand.device, keys: keys), on: stand.bench)
      for round in 1...200 {
        try stand.press(keys[0])
        try stand.pass()
        findings.equal("open devices in round \(round)", stand.openCount, 1)
        try stand.unplug()
        try stand.pass()
        findings.equal("open devices without a device", stand.openCount, 0)
        try stand.plug()
        try stand.pass()
      }
      let expected = Array(repeating: ["pressed(0)", "released(0)", "lost", "restored"], count: 200).flatMap { $0 }
      findings.expect(trial.events == expected, "\(trial.events.count) events: \(trial.events.prefix(12))")
      stand.bench.stop()
      findings.equal("open devices at the end", stand.openCount, 0)
    },
  ]
}
