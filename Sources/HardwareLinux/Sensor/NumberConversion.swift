/// Makes a number for people out of one of the kernel's, of a file or of a driver: `number × scale + offset`.
///
///     NumberConversion(scale: 100 / 3.3, unit: "%")      // of a potentiometer's voltage
public struct NumberConversion: Hashable, Sendable {
  /// The factor of the number; finite, not 0.
  public let scale: Double
  /// The term that is added after that, in the unit of the result; finite.
  public let offset: Double
  /// The unit of the result; nil keeps the source's own unit.
  public let unit: String?

  /// Traps for a scale or an offset that is not allowed.
  ///
  /// - Parameters:
  ///   - scale: finite, not 0.
  ///   - offset: finite, in the unit of the result.
  ///   - unit: of the result, as people write it; nil keeps the source's own.
  public init(scale: Double = 1, offset: Double = 0, unit: String? = nil) {
    precondition(scale.isFinite && scale != 0, "a scale is a finite number other than 0")
    precondition(offset.isFinite, "an offset is a finite number")
    self.scale = scale
    self.offset = offset
    self.unit = unit
  }

  /// The number for people.
  public func apply(to number: Double) -> Double { number * scale + offset }

  /// The number of which ``apply(to:)`` makes this one.
  public func invert(_ number: Double) -> Double { (number - offset) / scale }
}

/// A quantity of the kernel's: what its numbers are divided by to be in a unit that people use.
struct KernelQuantity: Equatable {
  let divisor: Double
  let unit: String

  init(_ divisor: Double = 1, _ unit: String = "") {
    self.divisor = divisor
    self.unit = unit
  }

  /// The letters that a channel's name begins with: `temp` of `temp1`, `voltage` of `voltage0-voltage1`.
  static func type(of channel: String) -> String {
    String(channel.prefix { $0.isASCII && $0.isLetter })
  }
}
