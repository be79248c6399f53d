internal import CGPIO
import CycleCore
import Glibc
import HardwareDrivers

/// The implementation with libgpiod, 1.6 or 2.x, through CGPIO, which loads the library at the first call.
final class LibGPIOD: GPIOSystem {
  var generation: Int { Int(cgpio_generation()) }

  /// Calls `clock_gettime`.
  var clocks: SystemClocks {
    var monotonic = timespec()
    var realtime = timespec()
    clock_gettime(CLOCK_MONOTONIC, &monotonic)
    clock_gettime(CLOCK_REALTIME, &realtime)
    return SystemClocks(monotonic: nanoseconds(monotonic), realtime: nanoseconds(realtime))
  }

  func entries(of folder: String) throws(SystemFailure) -> [String] { try Folder.entries(of: folder) }

  /// Checks without opening: libgpiod 1.6 opens a path for writing before it checks the kind of file, and opening some
  /// devices has an effect, such as starting a watchdog. Calls `stat`, `realpath` and `readlink`.
  func mayBeChip(_ path: String) -> Bool {
    var status = stat()
    // The path is missing: `open` will throw the error.
    guard stat(path, &status) == 0 else { return true }
    guard status.st_mode & S_IFMT == S_IFCHR else { return false }
    if let real = realpath(path, nil) {
      defer { free(real) }
      if String(cString: real).split(separator: "/").last?.hasPrefix("gpiochip") == true { return true }
    }
    // A node with a different name: sysfs links its device number to its subsystem.
    let device = UInt64(status.st_rdev)
    let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
    let minor = device & 0xFF | device >> 12 & ~0xFF
    var target = [UInt8](repeating: 0, count: 1024)
    let count = target.withUnsafeMutableBytes { bytes in
      readlink("/sys/dev/char/\(major):\(minor)/subsystem", bytes.baseAddress!, bytes.count)
    }
    return String(decoding: target.prefix(max(0, count)), as: UTF8.self).hasSuffix("/gpio")
  }

  /// Calls `gpiod_chip_open`.
  func open(_ path: String) throws(SystemFailure) -> any SystemChip {
    var chip: OpaquePointer?
    var failed: UnsafePointer<CChar>?
    try check(cgpio_chip_open(path, &chip, &failed), failed)
    return OpenChip(chip!)
  }
}

private final class OpenChip: SystemChip {
  /// The open chip; nil when it is closed or belongs to a request.
  private var chip: OpaquePointer?

  init(_ chip: OpaquePointer) {
    self.chip = chip
  }

  deinit {
    close()
  }

  func close() {
    if let chip { cgpio_chip_close(chip) }
    chip = nil
  }

  func info() throws(SystemFailure) -> SystemChipInfo {
    var info = cgpio_chip_info()
    var failed: UnsafePointer<CChar>?
    try check(cgpio_chip_info(chip, &info, &failed), failed)
    return SystemChipInfo(name: text(&info.name), label: text(&info.label), lineCount: Int(info.line_count))
  }

  func lineInfo(_ offset: Int) throws(SystemFailure) -> SystemLineInfo {
    var info = cgpio_line_info()
    var failed: UnsafePointer<CChar>?
    try check(cgpio_line_info(chip, UInt32(clamping: offset), &info, &failed), failed)
    return SystemLineInfo(name: text(&info.name), consumer: text(&info.consumer), isUsed: info.used)
  }

  func request(_ lines: [SystemLine], consumer: String) throws(SystemFailure) -> any SystemRequest {
    var request: OpaquePointer?
    var failed: UnsafePointer<CChar>?
    let result = cgpio_request_lines(
      chip, lines.map(cgpio_line.init), UInt32(lines.count), consumer, &request, &failed)
    try check(result, failed)
    chip = nil
    return OpenRequest(request!)
  }
}

private final class OpenRequest: SystemRequest {
  /// The maximum number of edges that are read with one call of the C side.
  private static let batch = 64

  @exclusivity(unchecked) private var request: OpaquePointer?
  private let edges = UnsafeMutablePointer<cgpio_edge>.allocate(capacity: batch)

  init(_ request: OpaquePointer) {
    self.request = request
  }

  deinit {
    release()
    edges.deallocate()
  }

  var descriptor: Int32 { cgpio_request_descriptor(request) }

  func values() throws(SystemFailure) -> LineValues {
    var values: UInt64 = 0
    var failed: UnsafePointer<CChar>?
    try check(cgpio_get_values(request, &values, &failed), failed)
    return LineValues(rawValue: values)
  }

  func set(_ values: LineValues, mask: LineValues) throws(SystemFailure) {
    var failed: UnsafePointer<CChar>?
    try check(cgpio_set_values(request, values.rawValue, mask.rawValue, &failed), failed)
  }

  func reconfigure(_ lines: [SystemLine]) throws(SystemFailure) {
    var failed: UnsafePointer<CChar>?
    try check(cgpio_reconfigure(request, lines.map(cgpio_line.init), &failed), failed)
  }

  func readEdges(into result: UnsafeMutableBufferPointer<LineEdge>) throws(SystemFailure) -> Int {
    var total = 0
    while total < result.count {
      let wanted = min(Self.batch, result.count - total)
      var failed: UnsafePointer<CChar>?
      let count = Int(cgpio_read_edges(request, edges, UInt32(wanted), &failed))
      if count < 0 {
        // Return the edges read before the chip went away; the next call throws.
        if total > 0 { return total }
        throw failure(Int32(count), failed)
      }
      for index in 0..<count {
        let edge = edges[index]
        result.initializeElement(
          at: total + index,
          to: LineEdge(
            line: Int(edge.line), value: LineValue(edge.rising),
            moment: Moment(nanoseconds: Int64(clamping: edge.nanoseconds)), sequence: edge.sequence))
      }
      total += count
      if count < wanted { break }
    }
    return total
  }

  func release() {
    if let request { cgpio_request_release(request) }
    request = nil
  }
}

extension cgpio_line {
  init(_ line: SystemLine) {
    self.init()
    offset = UInt32(clamping: line.offset)
    active_low = line.isActiveLow
    switch line.direction {
    case .input(let bias):
      debounce_microseconds = line.debounceMicroseconds
      edges = UInt8(line.edges.code.rawValue)
      self.bias = UInt8(bias.code.rawValue)
    case .output(let value, let drive, let bias):
      output = true
      self.value = value.isActive
      self.bias = UInt8(bias.code.rawValue)
      self.drive =
        switch drive {
        case .pushPull: UInt8(CGPIO_DRIVE_PUSH_PULL.rawValue)
        case .openDrain: UInt8(CGPIO_DRIVE_OPEN_DRAIN.rawValue)
        case .openSource: UInt8(CGPIO_DRIVE_OPEN_SOURCE.rawValue)
        }
    }
  }
}

extension LineConfiguration.Edges {
  fileprivate var code: cgpio_edges {
    switch self {
    case .none: CGPIO_EDGES_NONE
    case .rising: CGPIO_EDGES_RISING
    case .falling: CGPIO_EDGES_FALLING
    case .both: CGPIO_EDGES_BOTH
    }
  }
}

extension Bias {
  fileprivate var code: cgpio_bias {
    switch self {
    case .asIs: CGPIO_BIAS_AS_IS
    case .disabled: CGPIO_BIAS_DISABLED
    case .pullUp: CGPIO_BIAS_PULL_UP
    case .pullDown: CGPIO_BIAS_PULL_DOWN
    }
  }
}

private func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) }

private func failure(_ result: Int32, _ function: UnsafePointer<CChar>?) -> SystemFailure {
  SystemFailure(function: function.map { String(cString: $0) } ?? "libgpiod", number: -result)
}

private func check(_ result: Int32, _ function: UnsafePointer<CChar>?) throws(SystemFailure) {
  if result < 0 { throw failure(result, function) }
}

/// The text in a C array of characters.
private func text<CharacterArray>(_ array: inout CharacterArray) -> String {
  withUnsafeBytes(of: &array) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
}
