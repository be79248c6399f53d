/// The positions of a plan's cards beside the header, and the paths of their wires.
///
/// The layout depends on the plan alone: the order of the devices decides between equally good layouts, and all numbers
/// are integers.
struct WiringLayout: Equatable {
  enum Side: CaseIterable {
    case left, right

    /// The side of the header that a pin is on: odd pins are left, with pin 1 at the upper left.
    init(ofPin pin: Int) { self = pin % 2 == 1 ? .left : .right }

    var other: Side { self == .left ? .right : .left }

    /// The factor for a distance from the middle of the header.
    var sign: Int { self == .left ? -1 : 1 }
  }

  /// The shape of a device's card, as input of the layout.
  struct Shape: Equatable {
    /// The pins that the terminals are wired to, from the top of the card.
    var pins: [Int]
    /// The rows of the card that the terminals are in.
    var rows: [Int]
    /// The rows of the card, at least one.
    var rowCount: Int
    var isInput: Bool

    var height: Int { WiringMetrics.height(rows: rowCount) }
  }

  let left: CardColumn
  let right: CardColumn

  /// The layout of a plan whose lines are all on the header.
  init(_ plan: WiringPlan) {
    self.init(
      plan.devices.map { device in
        Shape(
          pins: device.terminals.map { terminal in
            guard let pin = terminal.pin else { preconditionFailure("\(terminal.line) is not on the header") }
            return pin
          },
          rows: device.terminalRows, rowCount: device.rowCount, isInput: device.direction == .input)
      })
  }

  init(_ shapes: [Shape]) {
    let sides = SideChoice.sides(of: shapes)
    func cards(_ side: Side) -> [Int] { shapes.indices.filter { sides[$0] == side } }
    let through = shapes.indices.flatMap { index in shapes[index].pins.filter { Side(ofPin: $0) != sides[index] } }
    let pins = Set(through).sorted()
    left = CardColumn.best(of: cards(.left), shapes, side: .left, through: pins)
    right = CardColumn.best(of: cards(.right), shapes, side: .right, through: pins)
  }

  subscript(side: Side) -> CardColumn { side == .left ? left : right }
}

/// Chooses the side of the header for each card.
enum SideChoice {
  /// The side of each card: that of most of its pins. If the numbers are equal, inputs are left and outputs are right.
  /// If a side is much taller than the header, cards move from it to the other side.
  static func sides(of shapes: [WiringLayout.Shape]) -> [WiringLayout.Side] {
    var sides = shapes.map { shape -> WiringLayout.Side in
      let odd = shape.pins.count { $0 % 2 == 1 }
      let even = shape.pins.count - odd
      return odd > even || (odd == even && shape.isInput) ? .left : .right
    }
    func height(of side: WiringLayout.Side) -> Int {
      shapes.indices.reduce(0) { $0 + (sides[$1] == side ? shapes[$1].height : 0) }
    }
    while true {
      let taller: WiringLayout.Side = height(of: .left) > height(of: .right) ? .left : .right
      let (high, low) = (height(of: taller), height(of: taller.other))
      guard high > WiringMetrics.headerHeight + 60 else { return sides }
      // The cards after whose move their old side is still taller by at least 60. Of these, the card with the fewest
      // pins on that side moves.
      let movable = shapes.indices.filter {
        sides[$0] == taller && low + shapes[$0].height <= high - shapes[$0].height - 60
      }
      func loss(_ index: Int) -> Int {
        shapes[index].pins.reduce(0) { $0 + (WiringLayout.Side(ofPin: $1) == taller ? 1 : -1) }
      }
      guard let least = movable.map(loss).min(), let card = movable.first(where: { loss($0) == least }) else {
        return sides
      }
      sides[card] = taller.other
    }
  }
}
