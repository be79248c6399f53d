extension WiringPlan {
  /// A circuit for the wiring picture of a device kind in another package.
  public struct Circuit: Sendable {
    let circuit: any WiringCircuit

    /// A button from a line to ground, or with `isActiveHigh` to 3.3 V.
    public static func button(line: String, isActiveHigh: Bool = false) -> Circuit {
      Circuit(circuit: ContactCircuit.button(line: line, isActiveHigh: isActiveHigh, pull: isActiveHigh ? .down : .up))
    }

    /// LEDs, one per line with a resistor, to ground; if not `isActiveHigh`, from 3.3 V.
    public static func leds(lines: [String], isActiveHigh: Bool = true) -> Circuit {
      Circuit(circuit: LampCircuit.leds(lines: lines, isActiveHigh: isActiveHigh))
    }

    /// LEDs in one case, each on its own line with a resistor, and one common supply: ground, or 3.3 V if not
    /// `isActiveHigh`.
    ///
    /// - Parameters:
    ///   - part: the case in the parts list: `RGB LED, common cathode`.
    ///   - lines: the lines from the top, each with the name of its terminal: `("GPIO17", "R")`.
    ///   - isActiveHigh: whether a high level lights an LED.
    public static func leds(
      _ part: String, lines: [(line: String, terminal: String)], isActiveHigh: Bool = true
    ) -> Circuit {
      Circuit(
        circuit: LampCircuit(
          terminals: lines.map { WiringTerminal($0.line, $0.terminal) }, isActiveHigh: isActiveHigh, part: part))
    }

    /// A relay on a board with an input for the line.
    public static func relay(line: String, isActiveHigh: Bool = true) -> Circuit {
      Circuit(circuit: RelayCircuit(line: line, isActiveHigh: isActiveHigh))
    }

    /// A chip, module or board: a box with the names of its terminals.
    ///
    /// - Parameters:
    ///   - name: the words in the box and in the parts list, for example `ULN2003`.
    ///   - lines: the lines from the top, each with the name of its terminal: `("GPIO17", "IN1")`.
    ///   - supplies: the supply terminals, from the top.
    public static func box(
      _ name: String, lines: [(line: String, terminal: String)], supplies: KeyValuePairs<String, SupplyNet> = [:]
    ) -> Circuit {
      Circuit(
        circuit: BoxCircuit.box(name, terminals: lines.map { WiringTerminal($0.line, $0.terminal) }, supplies: supplies)
      )
    }

    /// A chip, module or board on the I²C bus of the header, with terminals for 3.3 V and ground.
    ///
    /// - Parameters:
    ///   - name: the words in the box and in the parts list, for example `MCP23017`.
    ///   - lines: its other lines from the top, each with the name of its terminal: `("GPIO4", "INTA")`.
    public static func i2c(_ name: String, lines: [(line: String, terminal: String)] = []) -> Circuit {
      let bus = [WiringTerminal("GPIO2", "SDA", for: .i2c), WiringTerminal("GPIO3", "SCL", for: .i2c)]
      return Circuit(
        circuit: BoxCircuit.box(
          name, terminals: bus + lines.map { WiringTerminal($0.line, $0.terminal) },
          supplies: ["VCC": .volts3, "GND": .ground]))
    }
  }
}

extension WiringPlan.Device {
  /// - Parameters:
  ///   - name: the device's name in the file.
  ///   - kind: the words for the kind: `RGB lamp`.
  ///   - isInput: whether the panel reads the device; false if it drives the device.
  ///   - circuits: the circuits of the device, which are drawn below each other.
  public init(named name: String, kind: String, isInput: Bool, _ circuits: WiringPlan.Circuit...) {
    self.init(
      name: name, kind: kind, direction: isInput ? .input : .output, circuits: circuits.map(\.circuit))
  }
}
