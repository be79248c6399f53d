import CycleCore
import HardwareDrivers

/// Converts a number of the kernel, of a file or of a driver to a number for people: `number × scale + offset`.
///
///     NumberConversion(scale: 100 / 3.3, unit: "%")      // for a potentiometer's voltage
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
  ///   - unit: the unit of the result, in its common notation; nil keeps the source's own.
  public init(scale: Double = 1, offset: Double = 0, unit: String? = nil) {
    precondition(scale.isFinite && scale != 0, "a scale is a finite number other than 0")
    precondition(offset.isFinite, "an offset is a finite number")
    self.scale = scale
    self.offset = offset
    self.unit = unit
  }

  /// The number for people.
  public func apply(to number: Double) -> Double { number * scale + offset }

  /// The number for which ``apply(to:)`` returns this one.
  public func invert(_ number: Double) -> Double { (number - offset) / scale }
}

extension NumberConversion {
  /// A source that converts the numbers of another one.
  package func source(_ source: any NumberSource) -> any NumberSource {
    ConvertedSource(source: source, conversion: self)
  }
}

/// A source whose numbers are converted.
private struct ConvertedSource: NumberSource {
  let source: any NumberSource
  let conversion: NumberConversion

  var name: String { source.name }
  var unit: String { conversion.unit ?? source.unit }
  var needsThread: Bool { source.needsThread }
  var refusal: DriverError? { source.refusal }

  func readNumber(on clock: WorkClock) throws(DriverError) -> Double {
    conversion.apply(to: try source.readNumber(on: clock))
  }

  func close() { source.close() }
}

/// A quantity of the kernel, with the divisor that converts its numbers to a common unit.
struct KernelQuantity: Equatable {
  let divisor: Double
  let unit: String

  init(_ divisor: Double = 1, _ unit: String = "") {
    self.divisor = divisor
    self.unit = unit
  }

  /// The letters at the beginning of a channel's name: `temp` of `temp1`, `voltage` of `voltage0-voltage1`.
  static func type(of channel: String) -> String {
    String(channel.prefix { $0.isASCII && $0.isLetter })
  }
}
