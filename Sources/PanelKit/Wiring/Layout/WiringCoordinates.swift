/// The positions of the parts of a picture on the sheet, in px from its upper left corner.
struct WiringCoordinates {
  static let margin = 20

  let layout: WiringLayout
  let width: Int
  /// The x of the middle of the header.
  let middle: Int
  /// The y of the upper end of the header.
  let headerTop: Int
  /// The y of the lower end of header and cards.
  let lowerEnd: Int

  /// The supplies of the cards on each side, from the card outwards.
  private let left: [SupplyNet]
  private let right: [SupplyNet]

  init(_ plan: WiringPlan, _ layout: WiringLayout) {
    self.layout = layout
    func nets(_ side: WiringLayout.Side) -> [SupplyNet] {
      SupplyNet.allCases.filter { net in
        layout[side].cards.contains { plan.devices[$0.device].supplies.contains { $0.net == net } }
      }
    }
    let (left, right) = (nets(.left), nets(.right))
    (self.left, self.right) = (left, right)
    func halfWidth(_ side: WiringLayout.Side, _ nets: [SupplyNet]) -> Int {
      guard !layout[side].cards.isEmpty else { return 150 }
      return layout[side].cardDistance + WiringMetrics.cardWidth + Self.railPitch * (nets.count + 1)
    }
    let needed = halfWidth(.left, left) + halfWidth(.right, right) + 2 * Self.margin
    // Two columns of text need a minimum width, too.
    width = max(needed, 720)
    middle = Self.margin + halfWidth(.left, left) + (width - needed) / 2

    let above = SupplyNet.allCases.count { $0 != .ground && (left + right).contains($0) }
    headerTop = Self.firstRail + Self.railHeight * above + 16 - min(0, layout.left.top, layout.right.top)
    lowerEnd = headerTop + max(WiringMetrics.headerHeight + 10, layout.left.bottom, layout.right.bottom)
  }

  /// The supplies of the cards on a side.
  func nets(of side: WiringLayout.Side) -> [SupplyNet] { side == .left ? left : right }

  /// All supplies that are used.
  var nets: [SupplyNet] { SupplyNet.allCases.filter { left.contains($0) || right.contains($0) } }

  /// The x of the cards' edge towards the header.
  func innerEdge(of side: WiringLayout.Side) -> Int { middle + side.sign * layout[side].cardDistance }

  /// The x of the cards' edge towards the rails.
  func outerEdge(of side: WiringLayout.Side) -> Int { innerEdge(of: side) + side.sign * WiringMetrics.cardWidth }

  /// The x of the vertical part of a rail; nil if no card of the side is wired to the supply.
  func railX(_ net: SupplyNet, _ side: WiringLayout.Side) -> Int? {
    nets(of: side).firstIndex(of: net).map { outerEdge(of: side) + side.sign * (Self.railPitch * $0 + 16) }
  }

  /// The y of the horizontal part of a rail: ground below everything, the others above it.
  func railY(_ net: SupplyNet) -> Int {
    switch net {
    case .ground: lowerEnd + 8
    case .volts5: Self.firstRail
    case .volts3: Self.firstRail + (nets.contains(.volts5) ? Self.railHeight : 0)
    }
  }

  /// The y on the sheet of a y from the header's top.
  func y(_ y: Int) -> Int { headerTop + y }

  /// The x of a pin's middle.
  func x(ofPin pin: Int) -> Int { middle + WiringLayout.Side(ofPin: pin).sign * WiringMetrics.column }

  private static let firstRail = 74
  private static let railHeight = 22
  private static let railPitch = 14
}
