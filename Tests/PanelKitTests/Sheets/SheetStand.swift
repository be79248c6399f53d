import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation
@testable import PanelKinds
@testable import PanelLanguage

/// A standard sheet, and a simulated bus at its first address.
struct SheetStand {
  let bench: Bench
  let bus: SimulatedI2CBus
  let sheet: Sheet
  let address: I2CAddress

  init(_ name: String, on bench: Bench = Bench()) throws {
    self.bench = bench
    sheet = try SheetLibrary.sheet(named: name, folder: "/nowhere").get()
    guard case .i2c(let addresses) = sheet.bus else { preconditionFailure("\(name) is not on I²C") }
    address = addresses[0]
    bus = SimulatedI2CBus(bench, clockHertz: 400_000)
  }

  /// The problems of a panel file.
  static func problems(_ text: String, kinds: KindList = .standard) -> [String] {
    Fixture.problems { () throws(Problems) in
      _ = try PanelFile.read(Array(text.utf8), file: "x", kinds: kinds, checkSound: { _ in nil })
    }
  }
}
