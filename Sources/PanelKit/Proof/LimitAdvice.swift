import PanelLanguage

/// A limit to suggest for a subject with too many numbers. It contains all numbers that the file compares the subject
/// with, and their neighbours, and excludes others.
struct LimitAdvice {
  let range: ClosedRange<Int>

  /// Returns nil if no such limit exists. For a sensor that is not compared with a constant, the relevant numbers are
  /// not known.
  ///
  /// - Parameters:
  ///   - panel: the panel without limits.
  ///   - range: the numbers that the subject has in the proof.
  ///   - limits: the limits of the proof. What the subject is compared with can have the numbers of its own limit.
  init?(
    _ subject: RangeRestriction.Subject, of panel: PanelDefinition, within range: ClosedRange<Int>,
    under limits: [RangeRestriction]
  ) {
    let (whole, isList) = (panel.range(of: subject), panel.isList(subject))
    var compared = panel.comparedNumbers(with: subject, under: limits).flatMap { [$0 - 1, $0, $0 + 1] }.filter(
      whole.contains)
    // A list can always be empty.
    if isList { compared.append(0) }
    if case .sensor = subject, compared.isEmpty { return nil }
    let initial = Swift.min(range.upperBound, Swift.max(range.lowerBound, panel.initial(of: subject)))
    let widths = panel.widths(of: subject)
    func part(with numbers: [Int], atMost limit: Int) -> ClosedRange<Int>? {
      guard let low = numbers.min(), let high = numbers.max(), range.contains(low), range.contains(high) else {
        return nil
      }
      return widths.lazy.map { width in
        let high = Swift.min(range.upperBound, Swift.max(high, low + width))
        return Swift.max(range.lowerBound, Swift.min(low, high - width))...high
      }.first { $0.count <= limit }
    }
    // The limit contains the initial number unless that is far from the others.
    let (narrower, near) = (range.count - 1, 10 * widths[0])
    guard
      let part = part(with: compared + [initial], atMost: min(narrower, near)) ?? part(with: compared, atMost: narrower)
    else { return nil }
    self.range = part
  }
}

extension PanelDefinition {
  /// The constants that the subject is compared with, and the ends of the limits of other numbers.
  fileprivate func comparedNumbers(
    with subject: RangeRestriction.Subject, under limits: [RangeRestriction]
  ) -> [Int] {
    let number: Number =
      switch subject {
      case .value(let value): .value(value)
      case .sensor(let input): .reading(input)
      }
    var finder = CutFinder(of: number)
    for condition in conditions { finder.look(at: condition) }
    return finder.constants
      + finder.partners.flatMap { partner -> [Int] in
        let other: RangeRestriction.Subject
        switch partner {
        case .value(let value): other = .value(value)
        case .reading(let input): other = .sensor(input: input)
        default: return []
        }
        return limits.first { $0.subject == other }.map { [$0.range.lowerBound, $0.range.upperBound] } ?? []
      }
  }

  fileprivate func initial(of subject: RangeRestriction.Subject) -> Int {
    switch subject {
    case .value(let value): values[value].filled?.first ?? values[value].initial
    case .sensor(let input): inputs[input].device.scale?.initial ?? 0
    }
  }

  private func widths(decimals: Int) -> [Int] { [3 * Quantity.powerOfTen(decimals), 3, 1] }

  /// The least widths of a limit, from large to small. The first width that excludes a number is used.
  fileprivate func widths(of subject: RangeRestriction.Subject) -> [Int] {
    switch subject {
    case .value(let value): values[value].isDuration ? [2000, 200, 20, 1] : widths(decimals: values[value].decimals)
    case .sensor(let input): widths(decimals: inputs[input].device.scale?.decimals ?? 0)
    }
  }
}
