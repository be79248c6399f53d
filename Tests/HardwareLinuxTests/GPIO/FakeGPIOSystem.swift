import CycleCore
import Glibc

@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

/// The system as a test wants it: chips with lines, and calls that fail.
final class FakeGPIOSystem: GPIOSystem {
  struct Line {
    var name: String
    var holder: String?
  }

  final class Chip {
    let name: String
    let label: String
    var lines: [Line]
    var requests: [FakeRequest] = []

    init(_ name: String, _ label: String, _ lines: [String]) {
      self.name = name
      self.label = label
      self.lines = lines.map { Line(name: $0) }
    }
  }

  var generation = 2
  var clocks = SystemClocks(monotonic: 0, realtime: 0)
  /// The entries of the device folder, each with the chip behind it.
  var nodes: [(entry: String, chip: Chip)] = []
  /// By the first words of a call, as in `open /dev/gpiochip0` or `request gpiochip0`.
  var failures: [String: SystemFailure] = [:]
  var openChips = 0
  var heldRequests = 0

  init(_ chips: Chip...) {
    nodes = chips.map { ($0.name, $0) }
  }

  func entries(of folder: String) throws(SystemFailure) -> [String] {
    try fail("entries \(folder)")
    return [".", "..", "tty0"] + nodes.map(\.entry)
  }

  /// Paths at which there is something else.
  var otherThings: Set<String> = []

  func mayBeChip(_ path: String) -> Bool { !otherThings.contains(path) }

  func open(_ path: String) throws(SystemFailure) -> any SystemChip {
    try fail("open \(path)")
    guard let node = nodes.first(where: { "/dev/\($0.entry)" == path }) else {
      throw SystemFailure(function: "gpiod_chip_open", number: ENOENT)
    }
    openChips += 1
    return FakeOpenChip(self, node.chip)
  }

  func fail(_ call: String) throws(SystemFailure) {
    if let failure = failures[call] { throw failure }
  }
}

final class FakeOpenChip: SystemChip {
  private let system: FakeGPIOSystem
  private let chip: FakeGPIOSystem.Chip
  private var isOpen = true

  init(_ system: FakeGPIOSystem, _ chip: FakeGPIOSystem.Chip) {
    self.system = system
    self.chip = chip
  }

  func info() throws(SystemFailure) -> SystemChipInfo {
    try system.fail("info \(chip.name)")
    return SystemChipInfo(name: chip.name, label: chip.label, lineCount: chip.lines.count)
  }

  func lineInfo(_ offset: Int) throws(SystemFailure) -> SystemLineInfo {
    try system.fail("line \(chip.name):\(offset)")
    let line = chip.lines[offset]
    return SystemLineInfo(name: line.name, consumer: line.holder ?? "", isUsed: line.holder != nil)
  }

  func request(_ lines: [SystemLine], consumer: String) throws(SystemFailure) -> any SystemRequest {
    try system.fail("request \(chip.name)")
    if lines.contains(where: { chip.lines[$0.offset].holder != nil }) {
      throw SystemFailure(function: "gpiod_chip_request_lines", number: EBUSY)
    }
    let request = FakeRequest(system, chip, lines, consumer)
    chip.requests.append(request)
    close()
    return request
  }

  func close() {
    if isOpen { system.openChips -= 1 }
    isOpen = false
  }
}

final class FakeRequest: SystemRequest {
  var lines: [SystemLine]
  let consumer: String
  var current = LineValues()
  var written: [[UInt64]] = []
  var edges: [LineEdge] = []
  /// What the next reconfiguration makes of the descriptor.
  var nextDescriptor: Int32?
  /// What every call fails with from now on.
  var failure: SystemFailure?
  private let system: FakeGPIOSystem
  private let chip: FakeGPIOSystem.Chip
  private var isHeld = true

  init(_ system: FakeGPIOSystem, _ chip: FakeGPIOSystem.Chip, _ lines: [SystemLine], _ consumer: String) {
    self.system = system
    self.chip = chip
    self.lines = lines
    self.consumer = consumer
    system.heldRequests += 1
    for line in lines { chip.lines[line.offset].holder = consumer }
  }

  /// With the first generation another one when inputs with edges have changed.
  var descriptor: Int32 = -1

  func values() throws(SystemFailure) -> LineValues {
    if let failure { throw failure }
    return current
  }

  func set(_ values: LineValues, mask: LineValues) throws(SystemFailure) {
    if let failure { throw failure }
    written.append([values.rawValue, mask.rawValue])
  }

  func reconfigure(_ lines: [SystemLine]) throws(SystemFailure) {
    if let failure { throw failure }
    if let nextDescriptor { descriptor = nextDescriptor }
    self.lines = lines
  }

  func readEdges(into result: UnsafeMutableBufferPointer<LineEdge>) throws(SystemFailure) -> Int {
    let count = min(edges.count, result.count)
    if count == 0, let failure { throw failure }
    for index in 0..<count { result.initializeElement(at: index, to: edges[index]) }
    edges.removeFirst(count)
    return count
  }

  func release() {
    guard isHeld else { return }
    isHeld = false
    system.heldRequests -= 1
    for line in lines { chip.lines[line.offset].holder = nil }
  }
}
