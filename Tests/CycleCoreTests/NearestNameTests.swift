import CycleCore
import Testing

@Suite struct NearestNameTests {
  @Test("a swapped, missing, added or wrong letter counts one")
  func distance() {
    func distance(_ a: String, _ b: String) -> Int { editDistance(Array(a.utf8), Array(b.utf8)) }
    #expect(distance("states", "states") == 0)
    #expect(distance("stats", "states") == 1)
    #expect(distance("sttaes", "states") == 1)
    #expect(distance("statues", "states") == 1)
    #expect(distance("stages", "states") == 1)
    #expect(distance("", "abc") == 3)
    #expect(distance("kitten", "sitting") == 3)
  }

  @Test("the nearest name is suggested only where it is near")
  func nearestName() {
    let known = ["panel", "states", "show", "on"]
    #expect(nearest(to: "Stats", among: known) == "states")
    #expect(nearest(to: "shwo", among: known) == "show")
    #expect(nearest(to: "zebra", among: known) == nil)
    #expect(nearest(to: "x", among: known) == nil)
    #expect(nearest(to: "", among: known) == nil)
    #expect(nearest(to: String(repeating: "s", count: 1_000_000), among: known) == nil)
  }
}
