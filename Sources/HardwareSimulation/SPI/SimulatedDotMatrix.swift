import CycleCore
import HardwareDrivers

/// A row of 8×8 dot matrix modules with a MAX7219 each, on a simulated SPI bus.
///
///     let sign = SimulatedDotMatrix(bench, moduleCount: 4)
///     bus.connect(sign, at: 0)
///
/// After a power-up its rows are random, and it is shut down. Each module takes the 16 bits that it holds at the end of
/// a selection.
public final class SimulatedDotMatrix: SimulatedSPIDevice, SimulatedOutput {
  public let moduleCount: Int
  /// The violations of the data sheet.
  public private(set) var faults: [String] = []
  /// The number of selections that have written something.
  public private(set) var writeCount = 0

  /// The registers of each module, the right one first: it is the first in the chain.
  private var registers: [[UInt8]] = []
  private var bytes: [UInt8] = []
  private var random: SeededGenerator

  public var maximumHertz: Int { 10_000_000 }

  public init(_ bench: Bench, moduleCount: Int) {
    self.moduleCount = moduleCount
    random = SeededGenerator(seed: bench.random.next())
    powerUp()
  }

  /// Cuts the power and restores it.
  public func powerUp() {
    registers = (0..<moduleCount).map { _ in
      var module = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
      (module[0x0C], module[0x0F]) = (0, 0)
      return module
    }
  }

  /// The pixels that a person sees; nil while a module is shut down, tests its display, or decodes its rows as digits.
  public var visible: PixelBuffer? {
    guard registers.allSatisfy({ $0[0x0C] & 1 == 1 && $0[0x0F] & 1 == 0 && $0[0x09] == 0 }) else { return nil }
    var pixels = PixelBuffer(width: 8 * moduleCount, height: 8)
    for x in 0..<8 * moduleCount {
      let module = registers[moduleCount - 1 - x / 8]
      for y in 0..<8 where y <= Int(module[0x0B] & 7) && module[y + 1] >> UInt8(7 - x % 8) & 1 == 1 {
        pixels[x, y] = true
      }
    }
    return pixels
  }

  /// The step of the brightness, 0 to 15, of the right module.
  public var intensity: UInt8 { registers[0][0x0A] & 0xF }

  public func select(at moment: Moment, hertz: Int) { bytes = [] }

  public func exchange(_ byte: UInt8, at moment: Moment) -> UInt8 {
    bytes.append(byte)
    // A module sends the bits that it has held to the next one; those of the last module come back.
    return bytes.count > 2 * moduleCount ? bytes[bytes.count - 1 - 2 * moduleCount] : 0
  }

  public func deselect(at moment: Moment) {
    guard !bytes.isEmpty else { return }
    guard bytes.count.isMultiple(of: 2) else { return faults.append("a selection has \(bytes.count) bytes") }
    writeCount += 1
    // The last word stays in the first module.
    let words = stride(from: 0, to: bytes.count, by: 2).map { (bytes[$0] & 0xF, bytes[$0 + 1]) }
    for (module, word) in words.reversed().prefix(moduleCount).enumerated() where word.0 != 0 {
      registers[module][Int(word.0)] = word.1
    }
  }
}
