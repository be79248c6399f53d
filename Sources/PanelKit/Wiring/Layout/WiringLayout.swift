/// Where the cards of a plan stand beside the header, and which way their wires go.
///
/// The layout depends on the plan alone: the order of the devices decides between what would be equally good, and
/// all numbers are whole.
struct WiringLayout: Equatable {
  enum Side: CaseIterable {
    case left, right

    /// The side of the header that a pin is on: odd pins left, as the header lies with pin 1 at the upper left.
    init(ofPin pin: Int) { self = pin % 2 == 1 ? .left : .right }

    var other: Side { self == .left ? .right : .left }

    /// What a distance from the middle of the header is multiplied by.
    var sign: Int { self == .left ? -1 : 1 }
  }

  /// What the layout has to know of a device.
  struct Shape: Equatable {
    /// The pins that the terminals are wired to, from the top of the card.
    var pins: [Int]
    /// The rows of the card that the terminals are in.
    var rows: [Int]
    /// The rows of the card, at least one.
    var rowCount: Int
    var isInput: Bool

    var height: Int { WiringGrid.height(rows: rowCount) }
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

/// Chooses the side of the header that each card stands on.
enum SideChoice {
  /// The side of each card: where most of its pins are; if they are as many on both, inputs left and outputs right.
  /// From a side that has become much taller than the header, cards go over to the other one.
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
      guard high > WiringGrid.headerHeight + 60 else { return sides }
      // Those that leave their side the taller by 60 at least; of them the one with the least pins of that side.
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
