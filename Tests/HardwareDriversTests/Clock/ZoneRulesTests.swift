import TestSupport
import Testing

@testable import HardwareDrivers

/// The bytes of a file of the time zone database.
struct ZoneFileBytes {
  var version: UInt8 = 0x32
  var times: [Int] = []
  var types: [UInt8] = []
  var offsets: [Int32] = [3600]
  var leaps = 0
  var footer: String? = "CET-1CEST,M3.5.0,M10.5.0/3"

  private func number<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  private func block(_ size: Int) -> [UInt8] {
    var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
    for count in [0, 0, leaps, times.count, offsets.count, 4] { bytes += number(Int32(count)) }
    for time in times { bytes += size == 8 ? number(Int64(time)) : number(Int32(truncatingIfNeeded: time)) }
    bytes += types
    for offset in offsets { bytes += number(offset) + [0, 0] }
    bytes += Array("ABC\0".utf8)
    return bytes + [UInt8](repeating: 0, count: leaps * (size + 4))
  }

  var bytes: [UInt8] {
    guard version > 0 else { return block(4) }
    return block(4) + block(8) + (footer.map { Array("\n\($0)\n".utf8) } ?? [])
  }
}

@Suite("ZoneRules")
struct ZoneRulesTests {
  private func seconds(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0) -> Int {
    CalendarDate(year, month, day).day * 86_400 + hour * 3600 + minute * 60
  }

  private func problem(_ bytes: [UInt8]) -> String? {
    do throws(ZoneRules.Problem) {
      _ = try ZoneRules(tzif: bytes, name: "test")
      return nil
    } catch {
      return error.reason
    }
  }

  @Test("dates are those of the calendar, with their weekdays")
  func dates() {
    #expect(CalendarDate(1970, 1, 1).day == 0 && CalendarDate(1970, 1, 1).weekday == 4)
    #expect(CalendarDate(2026, 11, 25).description == "2026-11-25" && CalendarDate(2026, 11, 25).weekday == 3)
    #expect(
      CalendarDate(2000, 2, 29).description == "2000-02-29" && CalendarDate(1900, 2, 29).description == "1900-03-01")
    var date = CalendarDate(1899, 12, 31)
    for year in 1900..<2200 {
      for month in 1...12 {
        for day in 1...31 {
          let next = CalendarDate(year, month, day)
          guard next.parts == (year, month, day) else { continue }
          #expect(next.day == date.day + 1 && next.weekday == date.weekday % 7 + 1)
          date = next
        }
      }
    }
    #expect(date == CalendarDate(2199, 12, 31))
  }

  @Test("a rule gives the offsets of both halves of a year, and the changes between")
  func rule() {
    #expect(berlin.offset(at: seconds(2026, 3, 29, 0, 59)) == 3600)
    #expect(berlin.offset(at: seconds(2026, 3, 29, 1)) == 7200)
    #expect(berlin.offset(at: seconds(2026, 10, 25, 0, 59)) == 7200)
    #expect(berlin.offset(at: seconds(2026, 10, 25, 1)) == 3600)
    #expect(berlin.change(after: seconds(2026, 3, 29, 1)) == .init(seconds: seconds(2026, 10, 25, 1), offset: 3600))
    #expect(berlin.change(after: seconds(2026, 12, 31)) == .init(seconds: seconds(2027, 3, 28, 1), offset: 7200))
    // The southern half of the earth: summer time over the new year, half an hour of it on Lord Howe.
    let howe = ZoneRules(posix: "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0")!
    #expect(howe.offset(at: seconds(2026, 1, 1)) == 39_600)
    #expect(howe.offset(at: seconds(2026, 7, 1)) == 37_800)
    #expect(howe.change(after: seconds(2026, 1, 1)) == .init(seconds: seconds(2026, 4, 4, 15), offset: 37_800))
    // Days of the year, hours beyond a day, no summer time.
    let days = ZoneRules(posix: "AAA3BBB,J60/-1,300/26")!
    #expect(days.change(after: seconds(2028, 1, 1))?.seconds == seconds(2028, 3, 1, 2))
    #expect(days.change(after: seconds(2028, 4, 1))?.seconds == seconds(2028, 10, 28, 4))
    #expect(ZoneRules(posix: "UTC0")?.change(after: 0) == nil)
    #expect(ZoneRules(posix: "EST5EDT")?.offset(at: seconds(2026, 7, 1)) == -14_400)
  }

  @Test("a text that is not a rule is refused")
  func wrongRules() {
    for text in [
      "", "CE-1", "CET", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
      "CET-1CEST,M3.5.7,M10.5.0", "CET-25", "CET-1:60", "<CET-1", "CET-1CEST,J0,J1", "CET-1CEST,M3.5.0,M10.5.0/168",
      "CET-1CEST,M3.5.0,M10.5.0x", String(repeating: "A", count: 65), "Ä-1",
    ] {
      #expect(ZoneRules(posix: text) == nil, "\(text)")
    }
  }

  @Test("a local time is that of its date: the first of two, and a skipped one at the change")
  func localTimes() {
    #expect(berlin.seconds(on: CalendarDate(2026, 7, 1), at: 6 * 3600) == seconds(2026, 7, 1, 4))
    #expect(berlin.seconds(on: CalendarDate(2026, 3, 29), at: 9000) == seconds(2026, 3, 29, 1))
    #expect(berlin.seconds(on: CalendarDate(2026, 3, 29), at: 10_800) == seconds(2026, 3, 29, 1))
    #expect(berlin.seconds(on: CalendarDate(2026, 10, 25), at: 9000) == seconds(2026, 10, 25, 0, 30))
    #expect(berlin.seconds(on: CalendarDate(2026, 10, 25), at: 10_800) == seconds(2026, 10, 25, 2))
    let howe = ZoneRules(posix: "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0")!
    #expect(howe.seconds(on: CalendarDate(2026, 4, 5), at: 6300) == seconds(2026, 4, 4, 14, 45))
    // Samoa had no 30 December 2011.
    let samoa = ZoneRules(
      name: "Samoa", firstOffset: -36_000, transitions: [.init(seconds: seconds(2011, 12, 30, 10), offset: 50_400)],
      rule: nil)
    #expect(samoa.seconds(on: CalendarDate(2011, 12, 30), at: 9000) == seconds(2011, 12, 30, 10))
  }

  @Test("a reading has the change of the last two days, and its local date")
  func readings() {
    let reading = berlin.reading(at: seconds(2026, 10, 25, 1, 30) * 1_000_000)
    #expect(reading.description == "2026-10-25 02:30" && reading.offset == 3600)
    #expect(reading.change == .init(seconds: seconds(2026, 10, 25, 1), offsetBefore: 7200))
    #expect(berlin.reading(at: seconds(2026, 10, 27, 2) * 1_000_000).change == nil)
    #expect(berlin.reading(at: -1).description == "1970-01-01 00:59:59")
  }

  @Test("a file has a table of the past and a rule for the future")
  func files() throws {
    let file = ZoneFileBytes(
      times: [seconds(1980, 4, 6, 1), seconds(1980, 9, 28, 1)], types: [1, 0], offsets: [3600, 7200])
    let rules = try ZoneRules(tzif: file.bytes, name: "Europe/Berlin")
    #expect(rules.offset(at: seconds(1979, 7, 1)) == 3600 && rules.offset(at: seconds(1980, 7, 1)) == 7200)
    #expect(rules.offset(at: seconds(2026, 7, 1)) == 7200 && rules.offset(at: seconds(2026, 12, 1)) == 3600)
    #expect(rules.change(after: seconds(1980, 5, 1)) == .init(seconds: seconds(1980, 9, 28, 1), offset: 3600))
    var old = file
    (old.version, old.footer) = (0, nil)
    #expect(try ZoneRules(tzif: old.bytes, name: "old").offset(at: seconds(2026, 7, 1)) == 3600)
    var plain = ZoneFileBytes()
    plain.footer = "<+05>-5"
    plain.offsets = [18_000]
    #expect(try ZoneRules(tzif: plain.bytes, name: "plain").offset(at: seconds(2026, 7, 1)) == 18_000)
  }

  @Test("a file that is cut off at any place, or has a wrong byte, is refused or read, and never traps")
  func wrongFiles() {
    let file = ZoneFileBytes(
      times: [seconds(1980, 4, 6, 1), seconds(1980, 9, 28, 1)], types: [1, 0], offsets: [3600, 7200])
    let bytes = file.bytes
    for count in bytes.indices { _ = problem(Array(bytes[..<count])) }
    for place in bytes.indices {
      for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        var wrong = bytes
        wrong[place] = value
        guard let rules = try? ZoneRules(tzif: wrong, name: "wrong") else { continue }
        let reading = rules.reading(at: 1_790_000_000_000_000)
        #expect(reading.offset.magnitude <= 93_600)
        _ = rules.seconds(on: reading.date, at: 43_200)
      }
    }
    #expect(problem([]) == "it ends too early" && problem(Array("TZif".utf8)) == "it ends too early")
    #expect(problem(Array("#!/bin/sh".utf8)) == "it does not begin with TZif")
    #expect(problem([UInt8](repeating: 0, count: 65_537)) == "it has more than 65536 bytes")
    var wrong = file
    wrong.leaps = 1
    #expect(problem(wrong.bytes) == "it counts leap seconds, which the clock of this system does not")
    wrong = file
    wrong.types = [1, 2]
    #expect(problem(wrong.bytes) == "a change in it has a type that is missing")
    wrong = file
    wrong.times.reverse()
    #expect(problem(wrong.bytes) == "its changes are not in order")
    wrong = file
    wrong.footer = "never"
    #expect(problem(wrong.bytes) == "\"never\" at its end is not a rule")
    wrong = file
    wrong.offsets[1] = 93_601
    #expect(problem(wrong.bytes) == "it has an offset of more than 26 hours")
    wrong = file
    wrong.offsets = []
    #expect(problem(wrong.bytes) == "it has no types of local time")
  }

  @Test("ten years of minutes of three zones against a plain loop: each local time occurs once a date")
  func plainLoop() {
    let zones = [berlin, ZoneRules(posix: "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0")!, ZoneRules(posix: "EST5EDT")!]
    for zone in zones {
      let begin = seconds(2026, 1, 1)
      var last = (offset: zone.offset(at: begin), local: begin + zone.offset(at: begin))
      // Times in each half hour are enough, because changes are at half hours.
      for time in stride(from: begin + 1800, to: begin + 10 * 365 * 86_400, by: 1800) {
        let offset = zone.offset(at: time)
        let local = time + offset
        if offset == last.offset {
          let date = CalendarDate(day: CalendarDate.floor(local, 86_400))
          let found = zone.seconds(on: date, at: local - date.day * 86_400)
          // The second of two is not found.
          let isSecond = zone.offset(at: time - 3600 * 2) > offset && found < time
          #expect(found == time || isSecond)
        } else {
          for skipped in stride(from: last.local + 1800, to: local, by: 1800) {
            let date = CalendarDate(day: CalendarDate.floor(skipped, 86_400))
            #expect(zone.seconds(on: date, at: skipped - date.day * 86_400) == time)
          }
          #expect(zone.change(after: time - 1) == .init(seconds: time, offset: offset))
        }
        last = (offset, local)
      }
    }
  }
}
