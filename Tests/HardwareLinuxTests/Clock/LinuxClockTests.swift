import Glibc
import TestSupport
import Testing

@testable import CycleCore
@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

/// The kernel's clock as a test wants it. Its timer is real.
private final class FakeClockSystem: LinuxClockSystem {
  var realTimes: [Int64] = []
  var monotonicTimes: [Int64] = []
  var isSynchronisedNow = false
  var files: [String: String] = [:]
  var failures: [String: Int32] = [:]
  private(set) var timers: [Int] = []
  private(set) var closedCount = 0

  override var realTime: Int64 { realTimes.count > 1 ? realTimes.removeFirst() : realTimes.first ?? super.realTime }
  override var monotonicTime: Int64 {
    monotonicTimes.count > 1 ? monotonicTimes.removeFirst() : monotonicTimes.first ?? super.monotonicTime
  }
  override var isSynchronised: Bool { isSynchronisedNow }
  override func exists(_ path: String) -> Bool { files[path] != nil }
  override func bytes(of path: String) -> [UInt8]? { files[path].map { Array($0.utf8) } }
  override func entries(of folder: String) -> [String] {
    files.keys.filter { $0.hasPrefix(folder + "/") }.compactMap {
      $0.dropFirst(folder.count + 1).split(separator: "/").first.map(String.init)
    }
  }

  private func call(_ name: String) throws(SystemFailure) {
    if let number = failures.removeValue(forKey: name) { throw SystemFailure(function: name, number: number) }
  }

  override func createTimer() throws(SystemFailure) -> Int32 {
    try call("timerfd_create")
    return try super.createTimer()
  }

  override func setTimer(_ descriptor: Int32, to microseconds: Int) throws(SystemFailure) {
    timers.append(microseconds)
    try super.setTimer(descriptor, to: microseconds)
    try call("timerfd_settime")
  }

  override func close(_ descriptor: Int32) {
    closedCount += 1
    super.close(descriptor)
  }
}

private let second: Int64 = 1_000_000_000
/// 25 November 2026, 06:00 UTC.
private let morning: Int64 = 1_795_586_400 * second

@Suite("LinuxClock")
struct LinuxClockTests {
  @Test("the time is known if the kernel is synchronised, timesyncd has been, or a battery clock has set it")
  func knowledge() {
    let system = FakeClockSystem()
    let clock = LinuxClock(ClockPort(zone: "UTC0"), system: system)
    system.realTimes = [morning]
    #expect(!clock.isKnown)
    system.isSynchronisedNow = true
    #expect(clock.isKnown)
    system.realTimes = [946_684_800 * second]
    #expect(!clock.isKnown)
    system.realTimes = [morning]
    system.isSynchronisedNow = false
    system.files = ["/run/systemd/timesync/synchronized": ""]
    #expect(clock.isKnown)
    system.files = ["/sys/class/rtc/rtc0/hctosys": "0\n", "/sys/class/rtc/rtc1/hctosys": "1\n"]
    #expect(clock.isKnown)
    system.files = ["/sys/class/rtc/rtc0/hctosys": "0\n"]
    #expect(!clock.isKnown)
  }

  @Test("a time that was known stays known, and a trusted machine's time is known from the start")
  func memory() throws {
    let system = FakeClockSystem()
    system.realTimes = [morning]
    system.monotonicTimes = [5 * second]
    let connection = try LinuxClock(ClockPort(zone: "UTC0"), system: system).open()
    #expect(try connection.read() == WallClockSample(moment: .zero + .seconds(5), nanoseconds: morning, isKnown: false))
    #expect(connection.pauseWhileUnknown == .seconds(10))
    system.isSynchronisedNow = true
    #expect(try connection.read().isKnown)
    system.isSynchronisedNow = false
    #expect(try connection.read().isKnown)
    connection.close()
    let trusted = try LinuxClock(ClockPort(zone: "UTC0", trust: .machine), system: system).open()
    #expect(try trusted.read().isKnown)
    trusted.close()
    #expect(system.closedCount == 2)
  }

  @Test("both clocks are read at one moment: a reading with a pause in it is made again")
  func bracketed() throws {
    let system = FakeClockSystem()
    system.isSynchronisedNow = true
    system.realTimes = [morning, morning + second, morning + 2 * second]
    system.monotonicTimes = [0, second, second + 10, second + 30]
    let connection = try LinuxClock(ClockPort(zone: "UTC0"), system: system).open()
    // The check of the time's age reads the clock as well.
    let sample = try connection.read()
    #expect(sample.moment == Moment(nanoseconds: second + 20) && sample.nanoseconds == morning + 2 * second)
    connection.close()
  }

  @Test("errors have their cause, and a clock that was set between is read again")
  func errors() throws {
    let system = FakeClockSystem()
    system.failures["timerfd_create"] = EMFILE
    let clock = LinuxClock(ClockPort(zone: "UTC0"), system: system)
    let error = driverError { _ = try clock.open() }
    #expect(
      error?.description
        == "cannot open the clock: this program has too many files open (EMFILE). It is tried again by itself; "
        + "`dmesg` may show the cause.")
    #expect(error?.cause == DriverError.Cause(function: "timerfd_create", name: "EMFILE", number: EMFILE))
    let connection = try clock.open()
    system.failures["timerfd_settime"] = EINVAL
    #expect(driverError { try connection.setTimer(to: 1_000_000) }?.kind == .unsupported)
    system.failures["timerfd_settime"] = ECANCELED
    try connection.setTimer(to: 2_000_000)
    #expect(system.timers == [1_000_000, 2_000_000])
    connection.close()
  }

  @Test("a timer of the kernel wakes the driver at a wanted time")
  func wakes() throws {
    let system = LinuxClockSystem()
    let descriptor = try system.createTimer()
    var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    try system.setTimer(descriptor, to: Int(system.realTime / 1000) + 3_600_000_000)
    #expect(poll(&poller, 1, 0) == 0)
    // A time that has passed is due, as one that occurs while the program is busy.
    try system.setTimer(descriptor, to: Int(system.realTime / 1000) - 1)
    #expect(poll(&poller, 1, 10_000) == 1)
    system.readTimer(descriptor)
    #expect(poll(&poller, 1, 0) == 0)
    system.close(descriptor)
  }
}

@Suite("ZoneFile")
struct ZoneFileTests {
  @Test("a zone is a file of the database or a text with rules; other names are refused")
  func names() throws {
    #expect(try ZoneFile.rules(named: "CET-1CEST,M3.5.0,M10.5.0/3").offset(at: 1_782_900_000) == 7200)
    for name in ["Europe/Bärlin", "../etc/passwd", "/etc/passwd", "Europe//Berlin", ".hidden", "", "Nowhere/Here"] {
      let error = driverError { _ = try ZoneFile.rules(named: name) }
      #expect(error?.kind == .misconfigured)
    }
    let error = driverError { _ = try ZoneFile.rules(named: "Mars", in: "/nowhere") }
    #expect(
      error?.description
        == "cannot use the time zone \"Mars\" for the clock: there is no file /nowhere/Mars. Write a name that "
        + "`timedatectl list-timezones` lists; the package tzdata has the files.")
    let wrong = withFiles(["Wrong": "not a zone"]) { folder in
      driverError { _ = try ZoneFile.rules(named: "Wrong", in: folder) }
    }
    #expect(wrong?.reason == "it does not begin with TZif")
  }

  @Test("the machine's zone is that of TZ, or of /etc/localtime, or UTC")
  func machine() throws {
    #expect(try ZoneFile.machineRules(environment: "EST5EDT").offset(at: 1_782_900_000) == -14_400)
    #expect(try ZoneFile.machineRules(environment: ":UTC0").offset(at: 0) == 0)
    #expect(try ZoneFile.machineRules(environment: nil, link: "/nowhere") == .utc)
  }

  @Test(
    "the rules of the database are those of the C library",
    .enabled(if: access("/usr/share/zoneinfo/Europe", F_OK) == 0),
    arguments: [
      "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "Asia/Kolkata",
      "America/Sao_Paulo", "Europe/Dublin", "Antarctica/Troll", "Pacific/Kiritimati", "Etc/UTC",
    ])
  func library(_ name: String) throws {
    let rules = try ZoneFile.rules(named: name)
    let times = stride(from: -10_000, to: 24_000, by: 3).flatMap { [$0 * 86_400, $0 * 86_400 + 39_600] }
    let input = times.map { "@\($0)\n" }.joined()
    // The variable TZ belongs to the whole process, so another one asks the C library.
    let offsets = withFiles(["in": input, "out": ""]) { folder in
      let code = PanelProcess.whileNoPipeIsMade { system("TZ=\(name) date -f \(folder)/in +%z > \(folder)/out") }
      return code == 0 ? String(decoding: bytes(of: "\(folder)/out") ?? [], as: UTF8.self) : ""
    }
    let lines = offsets.split(separator: "\n")
    try #require(lines.count == times.count)
    var differences: [String] = []
    for (time, line) in zip(times, lines) {
      guard let number = Int(line) else { continue }
      let offset = number / 100 * 3600 + number % 100 * 60
      // The command prints no seconds of old local mean times.
      if rules.offset(at: time) / 60 * 60 != offset {
        differences.append("\(time): \(rules.offset(at: time)), \(line)")
      }
    }
    #expect(differences == [])
  }
}
