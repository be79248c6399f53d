import Testing

@testable import PanelKit

@Suite struct GuardTests {
  @Test(
    "each relation holds for just the pairs it names",
    arguments: [
      ("==", [false, true, false]), ("!=", [true, false, true]), ("<", [true, false, false]),
      ("<=", [true, true, false]), (">", [false, false, true]), (">=", [false, true, true]),
    ])
  func relations(sign: String, expected: [Bool]) throws {
    let relation = try #require(Guard.Relation(rawValue: sign))
    #expect([2, 3, 4].map { relation.holds($0, 3) } == expected)
  }

  @Test(
    "blanks around signs may be left out, and constants may be negative",
    arguments: ["level>=-3 and state!=b", "  level  >=  -3  and  state  !=  b  ", "level >=-3\nand state!= b"])
  func blanks(text: String) throws {
    var names = Names()
    let problems = ProblemList()
    names.declare("level", .value(0), at: .start, problems)
    names.ranges = [-5...5]
    names.regions = [.init(name: nil, states: ["a", "b"])]
    let found = GuardReader(names: names, problems: problems).read(text, at: .start)
    #expect(
      found
        == Guard(comparisons: [
          .value(0, .greaterOrEqual, -3), .state(.init(region: 0, state: 1), isCurrent: false),
        ]))
    #expect(problems.count == 0)
  }
}
