import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("KeySet: what a scan without diodes leaves in doubt")
struct KeySetTests {
  private static func keys(_ rows: [String]) -> KeySet {
    var keys = KeySet()
    for (row, text) in rows.enumerated() {
      for (column, sign) in text.enumerated() where sign != "." { keys[row: row] |= 1 << UInt8(column) }
    }
    return keys
  }

  @Test(
    "keys in one row or one column are certain, in a rectangle doubtful",
    arguments: [
      // What is seen, and what of it is in doubt.
      (["....", "....", "...."], ["....", "....", "...."]),
      ([".#..", "....", "...."], ["....", "....", "...."]),
      (["####", "....", "...."], ["....", "....", "...."]),
      (["#...", "#...", "#..."], ["....", "....", "...."]),
      (["#...", ".#..", "..#."], ["....", "....", "...."]),
      (["##..", "##..", "...#"], ["##..", "##..", "...."]),
      (["#.#.", "....", "#.#."], ["#.#.", "....", "#.#."]),
      // Two that share nothing.
      (["##..", "....", "..##"], ["....", "....", "...."]),
      // A corner is missing, as when keys move during the scan.
      (["##..", "#...", "...."], ["##..", "#...", "...."]),
      // The first row shares a column with the second only by the third.
      (["#...", ".#..", "##.."], ["#...", ".#..", "##.."]),
    ])
  func doubtful(seen: [String], doubtful: [String]) {
    #expect(Self.keys(seen).doubtful == Self.keys(doubtful))
  }

  @Test("the last key of the largest matrix")
  func corner() {
    let key = KeySet.key(row: 7, column: 7)
    #expect(key[row: 7] == 0x80)
    #expect(key.contains(63))
    #expect(KeySet(bits: .max).doubtful == KeySet(bits: .max))
    #expect(key.doubtful.isEmpty)
  }
}

@Suite("ScanDebouncer")
struct ScanDebouncerTests {
  private let key = KeySet.key(row: 0, column: 3)

  /// Scans 5 ms apart that take 1 ms each; `?` is one that says nothing.
  private func results(_ scans: String, period: Duration, pause: Int = 5) -> String {
    var debouncer = ScanDebouncer(period: period)
    var text = ""
    for (count, sign) in scans.enumerated() {
      let end = 1000 + count * pause
      _ = debouncer.scan(
        sign == "#" ? key : KeySet(), unknown: sign == "?" ? key : KeySet(),
        begin: Moment.zero + .milliseconds(end - 1),
        end: Moment.zero + .milliseconds(end))
      text += debouncer.down.isEmpty ? "." : "#"
    }
    return text
  }

  @Test("a key counts when three scans in a row have seen it the same")
  func three() {
    #expect(results("..####.#..##....", period: .milliseconds(1)) == "....##########..")
  }

  @Test("and for the period at least, from the end of the first scan to the beginning of the last")
  func period() {
    #expect(results("########", period: .milliseconds(20)) == ".....###")
    #expect(results("########", period: .milliseconds(19)) == "....####")
  }

  @Test("however late scans are, it takes three")
  func late() {
    #expect(results("####..##....", period: .milliseconds(20), pause: 40) == "..########..")
  }

  @Test("a scan that says nothing about a key changes nothing, and has it begin anew")
  func unknown() {
    #expect(results("##?###?...", period: .milliseconds(1)) == ".....####.")
  }

  @Test("what was not settled is forgotten")
  func forgotten() {
    var debouncer = ScanDebouncer(period: .zero)
    for _ in 0..<2 { _ = debouncer.scan(key, unknown: KeySet(), begin: .zero, end: .zero) }
    #expect(debouncer.changing == key)
    debouncer.forgetChanges()
    for _ in 0..<2 { _ = debouncer.scan(key, unknown: KeySet(), begin: .zero, end: .zero) }
    #expect(debouncer.down.isEmpty)
    #expect(debouncer.scan(key, unknown: KeySet(), begin: .zero, end: .zero) == key)
  }
}
