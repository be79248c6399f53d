import HardwareDrivers

/// The level of an output that a chip with a sheet has received.
///
///     let output = SimulatedSheetOutput(chip, sheet, output: "out", isPlugged: { socket.isPlugged })
///     …
///     #expect(output.level == 0.5)
public final class SimulatedSheetOutput: SimulatedOutput {
  /// The level, 0 to 1; nil before the first write, and while the chip is not there.
  public var level: Double? { isPlugged() ? newest : nil }

  private let isPlugged: () -> Bool
  private let bytes: (Int) -> [UInt8]?
  private let output: Sheet.Output
  private var newest: Double?
  /// The numbers of the chip by the bytes that set them; empty before the first write.
  private var numbers: [[UInt8]: Int] = [:]

  /// - Parameters:
  ///   - chip: the simulated chip.
  ///   - sheet: its sheet.
  ///   - name: the name of an output of the sheet.
  ///   - settings: the settings of the sheet.
  ///   - isPlugged: whether the chip is there.
  public init(
    _ chip: SimulatedSheetChip, _ sheet: Sheet, output name: String, settings: SheetSettings = SheetSettings(),
    isPlugged: @escaping () -> Bool
  ) {
    guard let output = sheet.outputs.first(where: { $0.name == name }) else {
      preconditionFailure("\(sheet.name) has no output \(name)")
    }
    (self.output, self.isPlugged) = (output, isPlugged)
    bytes = { sheet.bytes(of: output, number: $0, settings) }
    chip.onWrite(for: self) { [weak self, unowned chip] in self?.take(chip.written.last ?? []) }
  }

  private func take(_ written: [UInt8]) {
    if numbers.isEmpty {
      for number in output.range {
        if let bytes = bytes(number) { numbers[bytes] = number }
      }
    }
    if let number = numbers[written] { newest = output.level(of: number) }
  }
}
