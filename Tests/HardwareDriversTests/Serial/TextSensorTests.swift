import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("TextSensor")
struct TextSensorTests {
  /// A sensor on a simulated line, with what it told as text: `21.5@750` is a number at 750 ms.
  final class Stand {
    let bench: Bench
    let line: SimulatedSerial
    let trial: DriverBench<TextSensor>

    init(_ settings: TextSensor.Settings, seed: UInt64 = 0, isPlugged: Bool = true, isInstant: Bool = true) {
      bench = Bench(seed: seed)
      line = SimulatedSerial(bench, isPlugged: isPlugged)
      line.isInstant = isInstant
      trial = DriverBench(TextSensor(line, settings), showing: NoModel(), on: bench)
    }

    var told: [String] {
      trial.told { event in
        switch event {
        case .reading(let number): "\(number)"
        case .damaged(let count): "damaged \(count)"
        }
      }
    }

    func advance(_ milliseconds: Int) throws { try bench.advance(by: .milliseconds(milliseconds)) }

    func stop(_ place: SourceLocation = #_sourceLocation) {
      trial.stop()
      #expect(trial.cycle.nextAlarm == nil, sourceLocation: place)
      #expect(line.openCount == 0, sourceLocation: place)
    }
  }

  /// A line with the right checksum.
  private static let right = String(decoding: TextChecksum.nmea.added(to: Array("$T,7".utf8)), as: UTF8.self)

  private static func settings(
    _ pattern: String = "t={t}", checksum: TextChecksum? = nil, scale: Double = 1, silent: Duration? = nil
  ) throws -> TextSensor.Settings {
    TextSensor.Settings(try TextPattern(pattern), checksum: checksum, scale: scale, silent: silent)
  }

  @Test("a number is told when its line has ended, and again when it has changed by the resolution")
  func numbers() throws {
    let stand = Stand(try Self.settings(scale: 2))
    try stand.trial.start()
    for text in ["t=1", "0\r\n", "t=10.01\r\n", "x=7\r\n", "t=10.1\r\nt=11\r\n"] {
      try stand.advance(100)
      stand.line.send(text)
    }
    try stand.advance(100)
    #expect(stand.told == ["20.0@200", "20.2@500", "22.0@500"])
    stand.stop()
  }

  @Test("bytes take their time: a line of six bytes ends after 6.25 ms at 9600 baud")
  func baud() throws {
    let stand = Stand(try Self.settings(), isInstant: false)
    try stand.trial.start()
    stand.line.send("t=21\r\n")
    try stand.advance(6)
    #expect(stand.told == [])
    try stand.advance(1)
    #expect(stand.told.count == 1)
    #expect(SerialSettings().byteTime == .nanoseconds(1_041_667))
    stand.stop()
  }

  @Test("a device that sends nothing that matches for 10 s is lost; its next number is told, also the same one")
  func silence() throws {
    let stand = Stand(try Self.settings(silent: .seconds(10)))
    try stand.trial.start()
    stand.line.send("t=5\n")
    try stand.advance(9_000)
    stand.line.send("t=5\n")
    try stand.advance(9_000)
    stand.line.send("noise\n")
    try stand.advance(999)
    #expect(stand.told == ["5.0@0"])
    try stand.advance(1)
    #expect(stand.told == ["5.0@0", "lost@19000"])
    let error = try #require(stand.trial.troubles.last)
    guard case .lost(let loss) = error else { return #expect(Bool(false), "\(error)") }
    #expect(
      "\(loss)"
        == "cannot read /dev/ttyUSB0: no line has matched t={t} for 10 s; the last one was \"noise\". "
        + "Correct the pattern, or the baud of the device.")
    try stand.advance(60_000)
    #expect(stand.trial.cycle.nextAlarm == nil)
    stand.line.send("t=5\n")
    try stand.advance(1)
    #expect(Array(stand.told.dropFirst(2)) == ["restored@79000", "5.0@79000"])
    stand.stop()
  }

  @Test("the message of a silent device names what has arrived")
  func silentMessages() {
    let fault = SerialErrorFactory("/dev/serial0")
    var heard = SerialTextCounts()
    func reason() -> String { fault.silent("t={t}", for: .milliseconds(1500), heard).reason }
    #expect(reason() == "nothing has arrived for 1.5 s")
    heard.byteCount = 40
    #expect(reason() == "no line of text has ended for 1.5 s; 40 bytes have arrived")
    heard.lineCount = 3
    heard.wrongCount = 2
    #expect(reason() == "no correct line has matched t={t} for 1.5 s; 2 had a wrong checksum")
  }

  @Test("lines with a wrong checksum are dropped, counted and told once per second")
  func checksum() throws {
    let stand = Stand(try Self.settings("$T,{t}", checksum: .nmea))
    try stand.trial.start()
    stand.line.send("\n$T,7*00\r\n")
    try stand.advance(100)
    stand.line.send("$T,8*00\r\n$T,9\r\n")
    try stand.advance(100)
    stand.line.send("\(Self.right)\r\n")
    try stand.advance(2_000)
    stand.line.send("\(Self.right)\r\n")
    try stand.advance(1)
    #expect(stand.told == ["damaged 1@0", "7.0@200", "damaged 2@2200"])
    stand.stop()
  }

  @Test("a first line that can be the rest of a longer one gives no number, unless the pattern begins with text")
  func firstLine() throws {
    for (pattern, told) in [("{t}", ["3.0@1"]), ("t={t}", ["3.0@1"])] {
      let stand = Stand(try Self.settings(pattern))
      try stand.trial.start()
      let prefix = pattern == "{t}" ? "" : "t="
      // The beginning of 123 was sent before the line was opened.
      stand.line.send("23\n")
      try stand.advance(1)
      stand.line.send("\(prefix)3\n")
      try stand.advance(1)
      #expect(stand.told == told)
      stand.stop()
    }
  }

  @Test("a line that is pulled out is lost and opened again; an absent, busy or forbidden one is told as such")
  func losses() throws {
    let stand = Stand(try Self.settings(silent: .seconds(10)))
    try stand.trial.start()
    stand.line.send("t=5\n")
    try stand.advance(100)
    stand.line.unplug()
    try stand.advance(3_000)
    stand.line.plug()
    try stand.advance(10)
    stand.line.send("t=5\n")
    try stand.advance(10)
    #expect(stand.told == ["5.0@0", "lost@100", "restored@3100", "5.0@3110"])
    stand.stop()
    for (set, kind) in [
      ({ $0.isBusy = true }, .busy), ({ $0.isPermitted = false }, .notPermitted), ({ $0.unplug() }, .absent),
    ] as [((SimulatedSerial) -> Void, DriverError.Kind)] {
      let stand = Stand(try Self.settings())
      set(stand.line)
      try stand.trial.start()
      guard case .lost(let error)? = stand.trial.troubles.first else { return #expect(Bool(false), "\(kind)") }
      #expect(error.kind == kind)
      stand.stop()
    }
  }

  @Test("noise, lost bytes and a break damage lines, and the sensor goes on with the next one")
  func noise() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    let stand = Stand(try Self.settings("$T,{t}", checksum: .nmea), seed: seed, isInstant: false)
    try stand.trial.start()
    let right = Self.right + "\r\n"
    stand.line.send("\n")
    for round in 0..<200 {
      switch round % 3 {
      case 0: stand.line.noisyBytes = 1
      case 1: stand.line.lostBytes = 1
      default: stand.line.sendBreak()
      }
      stand.line.send(right)
      try stand.advance(50)
    }
    #expect(stand.told.allSatisfy { $0.hasPrefix("7.0@") || $0.hasPrefix("damaged ") }, "seed \(seed)")
    stand.line.send("\n\(right)")
    try stand.advance(50)
    #expect(stand.told.contains { $0.hasPrefix("7.0@") }, "seed \(seed)")
    stand.stop()
  }

  @Test("the sensors of one line share its connection, and lose and get it together")
  func sharing() throws {
    struct Frame: Equatable {
      var told: [String] = []
    }
    let bench = Bench()
    let line = SimulatedSerial(bench)
    line.isInstant = true
    func sensor(_ number: String) throws -> TextSensor {
      TextSensor(line, TextSensor.Settings(try TextPattern("{a},{b}"), number: number, silent: nil))
    }
    let (one, other) = (try sensor("a"), try sensor("b"))
    func lens(_ name: String, _ sensor: TextSensor) -> Lens<Frame, TextSensor> {
      Lens(
        sensor,
        on: { frame, event in if case .reading(let number) = event { frame.told.append("\(name) \(number)") } },
        trouble: { frame, trouble in if case .lost = trouble { frame.told.append("\(name) lost") } })
    }
    let cycle = Cycle(seed: Frame()) {
      lens("a", one)
      lens("b", other)
    }
    try bench.run(cycle)
    #expect(line.openCount == 1)
    line.send("\n1,2\n")
    try bench.settle()
    #expect(cycle.frame.told == ["a 1.0", "b 2.0"])
    line.send("1,3\n,4\n")
    try bench.settle()
    #expect(cycle.frame.told == ["a 1.0", "b 2.0", "b 3.0", "b 4.0"])
    line.unplug()
    try bench.settle()
    #expect(cycle.frame.told.suffix(2) == ["a lost", "b lost"])
    try bench.advance(by: .seconds(5))
    line.plug()
    try bench.settle()
    #expect(line.openCount == 1)
    line.send("\n5,6\n")
    try bench.settle()
    #expect(cycle.frame.told.suffix(2).sorted() == ["a 5.0", "b 6.0"])
    bench.stop()
    #expect(line.openCount == 0)
  }

  @Test("a flood of lines is read in parts, and no number of it is lost")
  func flood() throws {
    let stand = Stand(try Self.settings())
    stand.line.capacity = 1 << 20
    try stand.trial.start()
    stand.line.send((0..<20_000).map { "t=\($0)\n" }.joined())
    try stand.advance(1)
    #expect(stand.trial.events.count == 20_000)
    #expect(stand.trial.troubles.isEmpty)
    stand.stop()
  }

  @Test("a sensor on a serial line obeys the laws of drivers")
  func laws() throws {
    let settings = try Self.settings("t={t}", silent: .seconds(3600))
    let violations = DriverLaws.violations(
      models: [NoModel()],
      setup: { (bench: Bench) -> SerialLawHarness in
        var number = 0
        return SerialLawHarness(SimulatedSerial(bench)) { line, bench throws(DriverError) in
          for _ in 0..<3 {
            number += 1
            line.send("t=\(number)\r\n")
            try bench.advance(by: .milliseconds(50))
          }
        }
      },
      driver: { TextSensor($0.line, settings) })
    #expect(violations == [])
  }
}
