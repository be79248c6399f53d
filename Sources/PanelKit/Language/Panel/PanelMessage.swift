import HardwareDrivers

/// A message of Open Sound Control that a transition, `enter` or `exit` sends.
package struct PanelMessage: Equatable, Sendable {
  enum Argument: Equatable, Sendable {
    case fixed(OSCArgument)
    /// A number of the panel at the time of sending, multiplied by 10 ^ `decimals`.
    case number(Number, decimals: Int)
    /// A duration of the panel, in milliseconds.
    case duration(Number)
    /// A time of day of the panel, in minutes since midnight.
    case time(Number)
    /// The text with this number, from 1; an empty text for any other number.
    case oneOf([String], Number)
  }

  /// The address: `/cue/5/start`.
  package var address: String
  var arguments: [Argument] = []

  /// The numbers that are computed when the message is sent, in the order of the arguments.
  package var numbers: [Number] {
    arguments.compactMap { argument in
      switch argument {
      case .fixed: nil
      case .number(let number, _), .duration(let number), .time(let number), .oneOf(_, let number): number
      }
    }
  }

  /// The arguments with the computed numbers.
  ///
  /// - Parameter results: the results of ``numbers``, in the same order.
  package func arguments(with results: some Sequence<Int>) -> [OSCArgument] {
    var results = results.makeIterator()
    return arguments.map { argument in
      switch argument {
      case .fixed(let argument): argument
      case .number(_, let decimals): .number(results.next() ?? 0, decimals: decimals)
      case .duration: .duration(milliseconds: results.next() ?? 0)
      case .time:
        results.next().map { $0 == .unknown ? .text("-") : .text(ClockReader.text(ofMinutes: $0)) } ?? .text("-")
      case .oneOf(let texts, _):
        results.next().map { $0 == .unknown ? .text("-") : .text(texts.text(at: $0)) } ?? .text("")
      }
    }
  }

  /// The message in words, as in a scenario: `/fader/1 7`.
  ///
  /// - Parameter results: the results of ``numbers``, in the same order.
  package func words(with results: some Sequence<Int>) -> String {
    OSCMessage(address, arguments(with: results)).words
  }
}

extension [String] {
  /// The text with a number, from 1; an empty text for any other number.
  package func text(at number: Int) -> String { number >= 1 && number <= count ? self[number - 1] : "" }
}

extension OSCArgument {
  /// A number of a panel. A whole number is `i`, limited to the range of 32 bits; a number with decimals is `f`.
  package static func number(_ number: Int, decimals: Int) -> OSCArgument {
    decimals == 0
      ? .integer(Int32(clamping: number)) : .real(Float(Double(number) / Double(Quantity.powerOfTen(decimals))))
  }

  /// A duration of a panel, as text in the notation of a panel file, which `set` accepts.
  package static func duration(milliseconds: Int) -> OSCArgument { .text(Quantity.text(.milliseconds(milliseconds))) }
}
