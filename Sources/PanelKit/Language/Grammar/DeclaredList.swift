import Terminal

/// A list among the values of a file.
package struct DeclaredList {
  package let place: ListSlots
  /// The value: the range, the decimals and the unit of the elements.
  package let value: PanelDefinition.Value

  /// The range of the elements.
  package var elements: ClosedRange<Int> { value.min...value.max }
  /// Whether the list always has all of its elements.
  var isFilled: Bool { value.filled != nil }
  /// The range of the elements in the notation of the file: `20...78.5`.
  package var rangeText: String { "\(value.text(of: value.min))...\(value.text(of: value.max))" }
  /// The smallest element in the notation of the file, as an example.
  var example: String { value.text(of: value.min) }

  /// Whether the elements of both lists are comparable: both are numbers with the same decimals, or both are durations.
  func hasElements(like other: DeclaredList) -> Bool {
    value.isDuration == other.value.isDuration && value.decimals == other.value.decimals
  }

  /// The error where this list stands beside another one with different elements.
  func faultOfElements(unlike other: DeclaredList) -> String {
    let text = { (list: DeclaredList) in
      list.value.isDuration ? "durations" : "numbers with \(counted(list.value.decimals, "decimal"))"
    }
    return
      "\(quoted(value.name)) has \(text(self)) and \(quoted(other.value.name)) has \(text(other)); give both the same"
  }

  /// Reads an element in the notation of the file. Returns nil for any other text, and for an element out of range.
  package func element(_ text: String) -> Int? {
    value.number(in: text).flatMap { elements.contains($0) ? $0 : nil }
  }
}
