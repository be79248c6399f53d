import Testing

@testable import PanelWiring

@Suite("The layout of a wiring picture")
struct WiringLayoutTests {
  /// A device with a row for each pin.
  func shape(_ pins: [Int], isInput: Bool = true) -> WiringLayout.Shape {
    WiringLayout.Shape(pins: pins, rows: Array(pins.indices), rowCount: max(1, pins.count), isInput: isInput)
  }

  func path(_ pin: Int, from exit: Int, to end: Int) -> WirePath {
    WirePath(device: 0, terminal: 0, pin: pin, exit: exit, end: end)
  }

  @Test("a card stands where most of its pins are; with as many on both sides, inputs left and outputs right")
  func sides() {
    let shapes = [
      shape([3, 5, 8]), shape([8, 10, 3]), shape([3, 8]), shape([3, 8], isInput: false), shape([]),
      shape([], isInput: false),
    ]
    #expect(SideChoice.sides(of: shapes) == [.left, .right, .left, .right, .left, .right])
  }

  @Test("from a side that is much taller than the header, cards go over until the sides are alike")
  func balance() {
    let sides = SideChoice.sides(of: (0..<12).map { shape([2 * $0 + 3]) })
    #expect(sides.count { $0 == .right } == 3)
    // In the order of the file, as all lose the same.
    #expect(sides.prefix(4) == [.right, .right, .right, .left])
  }

  @Test("cards that would meet are moved apart as little as possible, and stay on the grid of 12")
  func stack() {
    func tops(_ wishes: [Int], ceiling: Int = 0) -> [Int] {
      CardStack.tops(
        wishes: wishes.map { .init(sum: $0, weight: 1) }, heights: wishes.map { _ in 60 }, ceiling: ceiling)
    }
    #expect(tops([24, 200]) == [24, 192])
    #expect(tops([100, 100]) == [60, 120])
    #expect(tops([100, 130, 100]) == [48, 108, 168])
    #expect(tops([-50, 300]) == [0, 300])
    #expect(tops([-50, 300], ceiling: -48) == [-48, 300])
  }

  @Test("a card with more terminals has more weight where it would like to stand")
  func weights() {
    let tops = CardStack.tops(
      wishes: [.init(sum: 300, weight: 3), .init(sum: 100, weight: 1)], heights: [60, 60], ceiling: 0)
    // At (100 + 100 + 100 + 40) / 4 = 85.
    #expect(tops == [84, 144])
  }

  @Test("wires that fall are nested without a crossing, and those that never meet share a track")
  func tracks() {
    let nested = TrackOrder([path(3, from: 36, to: 60), path(5, from: 60, to: 84), path(29, from: 348, to: 360)])
    #expect(nested.tracks == [1, 0, 0])
    #expect(nested.crossings == 0)
    #expect(!nested.overlaps)
  }

  @Test("wires in the opposite order cross once, and a straight one needs no track")
  func crossing() {
    let crossed = TrackOrder([path(3, from: 36, to: 84), path(5, from: 60, to: 48)])
    #expect(crossed.crossings == 1)
    let straight = TrackOrder([path(3, from: 36, to: 36), path(5, from: 60, to: 24)])
    #expect(straight.tracks == [nil, 0])
    #expect(straight.crossings == 1)
  }

  @Test("two wires that would have to change places at the same heights lie on each other, and it is seen")
  func overlap() {
    #expect(TrackOrder([path(3, from: 36, to: 60), path(5, from: 60, to: 36)]).overlaps)
    let shapes = [shape([5, 3])]
    let layout = WiringLayout(shapes)
    #expect(!WiringLayoutTests.hasOverlaps(layout.left.wires))
  }

  static func hasOverlaps(_ wires: [WirePath]) -> Bool { TrackOrder(wires).overlaps }

  @Test("a wire of the other side leaves through a gap beside its pin")
  func gaps() {
    var gaps = HeaderGaps()
    // Pin 11 is in the row at 132, pin 12 beside it.
    #expect(gaps.y(ofPin: 11, leavingAt: .left) == 132)
    #expect(gaps.y(ofPin: 11, leavingAt: .right) == 120)
    #expect(gaps.y(ofPin: 12, leavingAt: .left) == 144)
    gaps.flip(11)
    #expect(gaps.y(ofPin: 11, leavingAt: .right) == 144)
    #expect(gaps.areFree(for: [11, 15], leavingAt: .right))
    #expect(!gaps.areFree(for: [11, 13], leavingAt: .right))
  }

  @Test("wires of one pin are one net: they don't count as crossing where they part")
  func bus() {
    let order = TrackOrder([path(3, from: 36, to: 60), path(3, from: 36, to: 132)])
    #expect(order.crossings == 0)
    #expect(Set(order.tracks) == [0, 1])
  }

  @Test("long names lose their middle, and numbers keep their units")
  func texts() {
    #expect(TextWidth.shortened("lamp", .name, toFit: 100) == "lamp")
    #expect(TextWidth.shortened("lamp-on-the-north-wall-12", .name, toFit: 130) == "lamp-on-th…ll-12")
    #expect(
      WordWrap.lines(of: "at 5 V and 10 kΩ to GND") { $0.count <= 9 } == ["at 5\u{a0}V", "and 10\u{a0}kΩ", "to GND"])
  }
}
