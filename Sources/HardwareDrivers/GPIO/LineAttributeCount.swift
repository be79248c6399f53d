import CycleCore

/// The number of attributes that the kernel needs for the settings of the lines of one request. It is one for the
/// values of all outputs, one for each debounce period, and one for each further combination of direction, edges, bias,
/// drive and polarity.
///
/// **Source.** `GPIO_V2_LINE_NUM_ATTRS_MAX` in `linux/gpio.h`; `gpiod_line_config_to_uapi` of libgpiod 2, which fails
/// with E2BIG beyond it.
struct LineAttributeCount {
  /// The maximum number of attributes of one request.
  static var most: Int { 10 }

  private struct Flags: Equatable {
    var direction: LineConfiguration.Direction
    var edges: LineConfiguration.Edges
    var isActiveLow: Bool
  }

  private var flags: [Flags] = []
  private var debounces: [Int64] = []
  private var hasOutputs = false

  init(of lines: [LineConfiguration] = []) {
    for line in lines { add(line) }
  }

  var count: Int { (hasOutputs ? 1 : 0) + debounces.count + max(0, flags.count - 1) }

  /// Adds the lines of another device.
  func adding(_ lines: [LineConfiguration]) -> LineAttributeCount {
    var sum = self
    for line in lines { sum.add(line) }
    return sum
  }

  private mutating func add(_ line: LineConfiguration) {
    var direction = line.direction
    if case .output(_, let drive, let bias) = direction {
      direction = .output(.inactive, drive, bias)
      hasOutputs = true
    }
    let new = Flags(direction: direction, edges: line.isOutput ? .none : line.edges, isActiveLow: line.isActiveLow)
    if !flags.contains(new) { flags.append(new) }
    // In whole microseconds, like in the kernel, which debounces edges only.
    let debounce = line.hasEdges ? (line.debounce.wholeNanoseconds + 999) / 1000 : 0
    if debounce > 0, !debounces.contains(debounce) { debounces.append(debounce) }
  }
}
