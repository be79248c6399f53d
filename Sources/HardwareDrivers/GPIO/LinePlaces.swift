/// Which of a request's lines belong to which device: each has its lines side by side, in the order of the devices.
struct LinePlaces {
  /// The first line of each device, and the number of all lines as the last element.
  private(set) var bases = [0]
  /// The device of each line.
  private(set) var owners: [Int] = []

  /// - Parameter counts: how many lines each device has.
  init(_ counts: [Int]) {
    for (device, count) in counts.enumerated() {
      owners += repeatElement(device, count: count)
      bases.append(bases[device] + count)
    }
  }

  func range(of device: Int) -> Range<Int> { bases[device]..<bases[device + 1] }

  /// The device's lines among those of the request.
  func lines(of device: Int) -> LineValues {
    LineValues.first(bases[device + 1] - bases[device]).shifted(by: bases[device])
  }

  /// What the device has of the values of all lines, from its own first line on.
  func share(of device: Int, in values: LineValues) -> LineValues {
    LineValues(rawValue: values.rawValue >> UInt64(bases[device])).intersection(
      .first(bases[device + 1] - bases[device]))
  }
}
