import HardwareDrivers

/// The positions of the motors of a session. A panel that replaces another one continues with those of its motors.
package final class MotorPositions {
  private var positions: [String: MotorPosition] = [:]
  private var used: Set<String> = []

  package init() {}

  /// Begins with the next panel: it has used no position yet.
  package func beginUse() { used = [] }

  /// - Parameter motor: identifies the motor: its hardware, and what its positions are counted in.
  func position(of motor: String) -> MotorPosition {
    used.insert(motor)
    if let position = positions[motor] { return position }
    let position = MotorPosition()
    positions[motor] = position
    return position
  }

  /// Forgets the positions of motors that the panel does not have: they can be moved by others from now on.
  package func forgetUnused() { positions = positions.filter { used.contains($0.key) } }
}
