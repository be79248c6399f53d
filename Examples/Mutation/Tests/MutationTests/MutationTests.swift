import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import Testing

@testable import animated
@testable import counter
@testable import mutation

/// An application on a simulated chip, whose buttons a test presses and whose lamps it reads.
private struct Stage {
  let bench: Bench
  let chip: SimulatedChip
  private let bar: [SimulatedLine]

  init(bar: [LineName], _ make: (Platform) throws -> any Application) throws {
    let platform = try Platform(.simulated)
    (bench, chip) = (platform.bench, platform.simulatedChip!)
    self.bar = bar.map { [chip] name in chip.line(name) }
    try bench.run(try make(platform))
  }

  /// How many lamps of the bar are lit.
  var level: Int { bar.count { $0.level == .high } }

  func isLit(_ line: LineName) -> Bool { chip.line(line).level == .high }

  /// Presses a button for its debounce period of 5 ms, so that the press counts, and releases it.
  func press(_ line: LineName) throws {
    let contact = chip.contact(at: line)
    try contact.press()
    try bench.advance(by: .milliseconds(5))
    try contact.release()
  }

  /// The level now and after each of this number of ticks, 16 ms apart.
  func levels(_ ticks: Int) throws -> [Int] {
    var levels = [level]
    for _ in 0..<ticks {
      try bench.advance(by: .milliseconds(16))
      levels.append(level)
    }
    return levels
  }
}

private let shortBar: [LineName] = ["GPIO5", "GPIO6", "GPIO13", "GPIO19"]
private let longBar = (0..<24).map { LineName("GPIO\($0)") }

@Test("Counter: up, up, down leaves one")
func counts() throws {
  let stage = try Stage(bar: shortBar) { try Counter.makeCycle(on: $0) }
  for (line, level) in [("GPIO17", 1), ("GPIO17", 2), ("GPIO22", 1)] as [(LineName, Int)] {
    try stage.press(line)
    #expect(stage.level == level)
    try stage.bench.advance(by: .milliseconds(50))
  }
  stage.bench.stop()
}

@Test("Integer Mutation: plus, plus, minus is 1, 2, 1, and the lamps say what the buttons can do")
func mutates() throws {
  let stage = try Stage(bar: shortBar) { try Program.makeCycle(on: $0) }
  #expect(stage.isLit("GPIO23") && !stage.isLit("GPIO24"))
  var levels: [Int] = []
  for line in ["GPIO17", "GPIO17", "GPIO22"] as [LineName] {
    try stage.press(line)
    levels.append(stage.level)
    #expect(stage.isLit("GPIO23") && stage.isLit("GPIO24"))
    try stage.bench.advance(by: .milliseconds(50))
  }
  #expect(levels == [1, 2, 1])
  for _ in 0..<5 {
    try stage.press("GPIO17")
    try stage.bench.advance(by: .milliseconds(50))
  }
  #expect(stage.level == 4 && !stage.isLit("GPIO23") && stage.isLit("GPIO24"))
  stage.bench.stop()
}

@Test("Integer Mutation Animated, intercepting: the way turns where the bar is")
func intercepts() throws {
  let stage = try Stage(bar: longBar) { try Animated.makeCycle(on: $0) }
  try stage.press("GPIO24")
  #expect(try stage.levels(3) == [0, 1, 2, 3])
  try stage.press("GPIO24")
  try stage.press("GPIO25")
  #expect(try stage.levels(9) == [3, 4, 5, 6, 7, 8, 9, 10, 10, 10])
  #expect(stage.bench.loop.now > .zero)
  stage.bench.stop()
}

@Test("Integer Mutation Animated, appending: the way goes on where it would have ended")
func appends() throws {
  let stage = try Stage(bar: longBar) { try Animated.makeCycle(on: $0) }
  try stage.press("GPIO26")
  try stage.press("GPIO24")
  #expect(try stage.levels(2) == [0, 1, 2])
  try stage.press("GPIO25")
  #expect(try stage.levels(20) == [2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0])
  stage.bench.stop()
}

@Test("Integer Mutation Animated, waiting: while the bar moves the buttons do nothing, and their lamp says so")
func waits() throws {
  let stage = try Stage(bar: longBar) { try Animated.makeCycle(on: $0) }
  for _ in 0..<2 {
    try stage.press("GPIO26")
    try stage.bench.advance(by: .milliseconds(50))
  }
  try stage.press("GPIO24")
  #expect(stage.isLit("GPIO27"))
  #expect(try stage.levels(4) == [0, 1, 2, 3, 4])
  #expect(!stage.isLit("GPIO27"))
  try stage.press("GPIO24")
  #expect(try stage.levels(8) == [4, 5, 6, 7, 8, 9, 10, 10, 10])
  #expect(stage.isLit("GPIO27"))
  try stage.press("GPIO25")
  #expect(try stage.levels(10).last == 0)
  stage.bench.stop()
}
