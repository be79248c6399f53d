/// Maps the lines of a request to its devices: each device's lines are adjacent, in the order of the devices.
struct RequestLineMap {
  /// The index of each device's first line, followed by the number of all lines.
  private(set) var bases = [0]
  /// The device of each line.
  private(set) var owners: [Int] = []

  /// - Parameter counts: the number of lines of each device.
  init(_ counts: [Int]) {
    for (device, count) in counts.enumerated() {
      owners += repeatElement(device, count: count)
      bases.append(bases[device] + count)
    }
  }

  func range(of device: Int) -> Range<Int> { bases[device]..<bases[device + 1] }

  /// The device's lines as a mask of the request's lines.
  func lines(of device: Int) -> LineValues {
    LineValues.first(bases[device + 1] - bases[device]).shifted(by: bases[device])
  }

  /// The device's part of the values of all lines; bit 0 is its first line.
  func share(of device: Int, in values: LineValues) -> LineValues {
    LineValues(rawValue: values.rawValue >> UInt64(bases[device])).intersection(
      .first(bases[device + 1] - bases[device]))
  }
}
