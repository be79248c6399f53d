import HardwareDrivers

/// The calls of the kernel and of libgpiod that the GPIO backend makes, as a protocol that tests implement with fakes.
protocol GPIOSystem: AnyObject {
  /// The generation of libgpiod on this machine: 1, 2, or 0 for none.
  var generation: Int { get }

  /// The times of both clocks of the system at one moment.
  var clocks: SystemClocks { get }

  /// The names of the entries of a folder, in no particular order.
  func entries(of folder: String) throws(SystemFailure) -> [String]

  /// Returns false if the path exists and is not a GPIO chip. Returns true if the path doesn't exist, because `open`
  /// throws the reason. Opens nothing.
  func mayBeChip(_ path: String) -> Bool

  func open(_ path: String) throws(SystemFailure) -> any SystemChip
}

/// A chip that is open.
protocol SystemChip: AnyObject {
  func info() throws(SystemFailure) -> SystemChipInfo
  func lineInfo(_ offset: Int) throws(SystemFailure) -> SystemLineInfo

  /// Requests the lines. On success the request owns the chip and closes it; when this throws, the chip stays open.
  func request(_ lines: [SystemLine], consumer: String) throws(SystemFailure) -> any SystemRequest

  /// Closes the chip, unless a request has taken it over.
  func close()
}

/// The times of the system's clocks at one moment, in nanoseconds.
struct SystemClocks: Equatable {
  /// `CLOCK_MONOTONIC`.
  var monotonic: Int64
  /// `CLOCK_REALTIME`.
  var realtime: Int64
}

struct SystemChipInfo: Equatable, CustomStringConvertible {
  /// The kernel's name, as in `gpiochip0`.
  var name: String
  var label: String
  var lineCount: Int

  var description: String { "\(name) (\(label))" }
}

struct SystemLineInfo: Equatable {
  var name: String
  var consumer: String
  var isUsed: Bool
}

/// A line of a request.
struct SystemLine: Equatable {
  var offset: Int
  var direction: LineConfiguration.Direction
  var isActiveLow: Bool
  /// The debounce period in whole microseconds; 0 for none.
  var debounceMicroseconds: UInt32
  var edges = LineConfiguration.Edges.both
}

extension SystemLine {
  init(_ line: LineConfiguration, offset: Int) {
    self.init(
      offset: offset, direction: line.direction, isActiveLow: line.isActiveLow,
      debounceMicroseconds: UInt32(clamping: (line.debounce.wholeNanoseconds + 999) / 1000),
      edges: line.edges)
  }

  var isOutput: Bool {
    if case .output = direction { true } else { false }
  }

  var hasEdges: Bool { !isOutput && edges != .none }
}

/// Requested lines of one chip.
protocol SystemRequest: AnyObject {
  /// For `poll`: readable when edges are queued, in an error state when the chip is gone. With libgpiod 1.6
  /// `reconfigure` may replace it: read it again afterwards.
  var descriptor: Int32 { get }
  func values() throws(SystemFailure) -> LineValues
  func set(_ values: LineValues, mask: LineValues) throws(SystemFailure)
  /// Gives new settings to the requested lines, in the same order.
  func reconfigure(_ lines: [SystemLine]) throws(SystemFailure)
  func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(SystemFailure) -> Int
  func release()
}
