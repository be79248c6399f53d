import CycleCore
import HardwareDrivers

extension Sheet {
  /// Runs the sheet's example on a simulated chip: a measurement, the contacts, and the writes of levels.
  ///
  /// - Returns: a sentence for each result that differs from the example; empty if the sheet is right.
  public func exampleFaults() -> [String] {
    let bench = Bench()
    let model = SimulatedSheetChip(self)
    let chip: SheetChip
    var device: I2CDevice?
    switch bus {
    case .i2c(let addresses):
      let bus = SimulatedI2CBus(bench, clockHertz: 400_000)
      bus.connect(model, at: addresses[0])
      device = I2CDevice(bus, at: addresses[0])
      chip = SheetChip(self, I2CDevice(bus, at: addresses[0]))
    case .spi:
      let bus = SimulatedSPIBus(bench)
      bus.connect(model, at: 0)
      chip = SheetChip(self, bus, chipSelect: 0)
    case .serial:
      let line = SimulatedSerial(bench)
      model.connect(to: line, sendsByItself: writtenBytes == nil)
      chip = SheetChip(self, line)
    }
    let clock = WorkClock(at: bench.now)
    var faults: [String] = []
    for (name, wanted) in example.gives {
      do throws(DriverError) {
        let number = try chip.source(of: name, settings: example.settings).readNumber(on: clock)
        // A reading has four digits that count, as in the tables of data sheets.
        if !(abs(number - wanted) <= max(abs(wanted) * 1e-4, 1e-9)) {
          faults.append("\(name) is \(number), and the example gives \(wanted)")
        }
      } catch {
        return model.unknownRegisters.isEmpty ? ["\(error.reason)"] : [Self.text(missing: model.unknownRegisters)]
      }
    }
    do throws(DriverError) {
      if let device, !contacts.isEmpty { faults += try contactFaults(on: device, clock) }
      for (name, level) in example.levels { try chip.set(name, to: level, example.settings, on: clock) }
    } catch {
      return ["\(error.reason)"]
    }
    if !model.unknownRegisters.isEmpty { faults.insert(Self.text(missing: model.unknownRegisters), at: 0) }
    if model.unreadAnswers > 0 {
      faults.append("the example has \(model.unreadAnswers) answers more than the sheet reads")
    }
    if let wanted = example.written, model.written != wanted {
      faults.append("it writes \(Self.text(model.written)), and the example has \(Self.text(wanted))")
    }
    return faults
  }

  private func contactFaults(on device: I2CDevice, _ clock: WorkClock) throws(DriverError) -> [String] {
    let registers = SheetContacts(self, settings: example.settings)
    try registers.setUp(ExpanderPins(), on: device, clock)
    guard try registers.readOutputs(ExpanderPins(), on: device, clock) != nil || checkSteps.isEmpty else {
      return ["the check fails with the registers of the example"]
    }
    let open = try registers.read(on: device, clock).levels
    let closed = contacts.indices.filter { !open[$0].isActive }.map { contacts[$0].name }
    if Set(closed) == Set(example.closed) { return [] }
    return [
      "the closed contacts are [\(closed.joined(separator: ", "))], and the example has "
        + "[\(example.closed.joined(separator: ", "))]"
    ]
  }

  private static func text(missing registers: [Int]) -> String {
    let names = registers.map { "0x\($0 > 0xFF ? UInt8($0 >> 8).hexadecimal : "")\(UInt8($0 & 0xFF).hexadecimal)" }
    return "the sheet reads \(names.joined(separator: ", ")), and the example has no such register"
  }

  private static func text(_ writes: [[UInt8]]) -> String {
    let list = writes.map { bytes in
      "[\(bytes.map { "0x\($0.hexadecimal)" }.joined(separator: ", "))]"
    }
    return "[\(list.joined(separator: ", "))]"
  }
}
