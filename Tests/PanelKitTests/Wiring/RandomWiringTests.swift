import Testing

@testable import PanelWiring

@Suite("Random wiring plans")
struct RandomWiringTests {
  static let seeds: ClosedRange<UInt64> = 0...299

  @Test("no wire lies on another, no card on another, and every terminal is connected to the pin that it names")
  func geometry() {
    for seed in Self.seeds {
      let plan = WiringPlan.random(seed: seed)
      let faults = WiringGeometry.faults(of: WiringLayout(plan), plan)
      #expect(faults.isEmpty, "seed \(seed): \(faults)")
    }
  }

  @Test("the same plan gives the same bytes, not too many of them, and well-formed elements")
  func pictures() throws {
    for seed in Self.seeds where seed.isMultiple(of: 10) {
      let svg = try #require(WiringPlan.random(seed: seed).svg())
      #expect(svg == WiringPlan.random(seed: seed).svg(), "seed \(seed)")
      #expect(svg.utf8.count < 60_000, "seed \(seed): \(svg.utf8.count) bytes")
      #expect(XMLNesting.fault(in: svg) == nil, "seed \(seed)")
    }
  }

  @Test("the text form has 80 columns at most, and no byte above 7F as ASCII")
  func texts() {
    for seed in Self.seeds where seed.isMultiple(of: 6) {
      let plan = WiringPlan.random(seed: seed)
      for line in plan.text().split(separator: "\n") { #expect(line.count <= 80, "seed \(seed): \(line)") }
      let ascii = plan.text(isASCII: true)
      #expect(ascii.utf8.allSatisfy { $0 < 0x80 }, "seed \(seed)")
      for line in ascii.split(separator: "\n") { #expect(line.count <= 80, "seed \(seed): \(line)") }
    }
  }
}

/// Looks whether each element of a document is closed, in the right order.
enum XMLNesting {
  /// What is wrong; nil if nothing is.
  static func fault(in document: String) -> String? {
    var open: [Substring] = []
    for part in document.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
      guard let end = part.lastIndex(of: ">") else { return "an element without an end: \(part)" }
      let name = part.prefix { $0 != " " && $0 != ">" && $0 != "/" }
      if part.hasPrefix("/") {
        guard open.popLast() == part[..<end].dropFirst() else { return "\(part) closes another element" }
      } else if part[..<end].last != "/" {
        open.append(name)
      }
    }
    return open.isEmpty ? nil : "\(open) not closed"
  }
}
