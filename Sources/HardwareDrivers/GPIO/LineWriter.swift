import CycleCore

/// Writes the output lines of one request, only those whose values change. Doesn't depend on the device type, so it is
/// compiled once.
final class LineWriter {
  /// The output lines among all lines of the request.
  @exclusivity(unchecked) var outputLines: LineValues = []
  /// The values that were written last, or set by a later reconfiguration.
  @exclusivity(unchecked) var written: LineValues = []
  /// Lines whose values are unknown because a write failed.
  @exclusivity(unchecked) private(set) var uncertain: LineValues = []
  @exclusivity(unchecked) private var request: (any LineRequest)?

  /// Starts to write to `request`, whose output lines have these values.
  func begin(_ request: any LineRequest, values: LineValues) {
    self.request = request
    written = values
    uncertain = []
  }

  func end() {
    request = nil
  }

  /// Writes the lines in `mask` whose values differ from those written last, in one call.
  func write(_ values: LineValues, mask: LineValues) throws(DriverError) {
    guard let request else { return }
    try write(values, mask: mask.intersection(outputLines), to: request)
  }

  @inline(__always)
  private func write(_ values: LineValues, mask: LineValues, to request: any LineRequest) throws(DriverError) {
    let differing = values.symmetricDifference(written).intersection(mask)
    let changed = differing.union(uncertain.intersection(mask))
    guard !changed.isEmpty else { return }
    do throws(DriverError) {
      try request.write(values, mask: changed)
    } catch {
      uncertain.formUnion(changed)
      throw error
    }
    written.formSymmetricDifference(differing)
    if !uncertain.isEmpty { uncertain.subtract(changed) }
  }

  /// Does consecutive steps that only write and have no pause; stops before the first step of any other kind.
  ///
  /// - Parameters:
  ///   - base: the device's first line in the request.
  ///   - lines: the device's lines in the request.
  ///   - limit: the maximum number of steps.
  /// - Returns: the number of steps that were done.
  func write(
    _ pending: inout PendingSteps, base: Int, lines: LineValues, limit: Int
  ) throws(DriverError) -> Int {
    guard let request else { return 0 }
    let own = lines.intersection(outputLines)
    let steps = pending.steps.steps
    let start = pending.done
    let end = min(steps.count, start + limit)
    var place = start
    defer { pending.done = place }
    while place < end, steps[place].isPlainWrite {
      let step = steps[place]
      place += 1
      try write(step.values.shifted(by: base), mask: step.mask.shifted(by: base).intersection(own), to: request)
    }
    return place - start
  }
}
