import HardwareDrivers

/// The lines that this application has requested. If the kernel reports one of them as busy, the application uses it
/// twice.
final class HeldLines {
  private struct Line: Hashable {
    var chip: String
    var offset: Int
  }

  private var lines: Set<Line> = []

  func contains(_ offset: Int, of chip: SystemChipInfo) -> Bool {
    lines.contains(Line(chip: chip.name, offset: offset))
  }

  func insert(_ held: [SystemLine], of chip: SystemChipInfo) {
    for line in held { lines.insert(Line(chip: chip.name, offset: line.offset)) }
  }

  func remove(_ released: [SystemLine], of chip: SystemChipInfo) {
    for line in released { lines.remove(Line(chip: chip.name, offset: line.offset)) }
  }
}
