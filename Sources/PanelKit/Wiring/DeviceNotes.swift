/// The notes about kinds of devices. The circuits of those kinds include them; another circuit for such a device can
/// use them too.
///
/// The **sources** of all notes are in `docs/internals/wiring.md`.
extension WiringNote {
  /// An ultrasonic distance sensor whose echo is a 5 V signal.
  static let distanceEcho = danger5V(
    """
    ECHO of an HC-SR04 gives 5 V and would destroy the input. The divider (1 kΩ, 2 kΩ) reduces this voltage to 3.3 V. Leave \
    the divider out only with a 3.3 V model (HC-SR04P, RCWL-1601).
    """)

  /// An HD44780 on lines: when a program reads the display, it drives its data lines with 5 V.
  static let displayReadWrite = danger5V(
    "connect R/W to ground. If R/W is open or high, the display drives its data lines with 5 V.")

  static let displayBacklight = WiringNote(
    "Turn the trimmer at V0 until you see the characters. Leave the 220 Ω out if the display has a resistor for its backlight."
  )

  /// A device at 5 V on the I²C bus.
  static let i2cPullUps = danger5V(
    """
    most backpacks (I²C boards of displays) pull SDA and SCL up to their VCC. With VCC at 5 V, use a level shifter, or remove \
    the two pull-up resistors of the backpack. The Pi has its own: 1.8 kΩ to 3.3 V.
    """)

  /// A rotary encoder on a board with pull-up resistors.
  static let encoderBoard = danger5V(
    "connect + of an encoder on a board (KY-040) to 3.3 V, never to 5 V: its resistors connect + to the lines.")

  /// The supply of a servo.
  package static let servoSupply = WiringNote(
    """
    Give a servo a 5 V supply of its own, and connect the ground of that supply to a ground of the Pi. A servo takes 1 A \
    and more when it starts, which makes the voltage of the Pi too low.
    """)

  /// The supply of a motor.
  package static let motorSupply = WiringNote(
    """
    Give the motor a supply of its own at the motor driver, and connect its ground to a ground of the Pi. Never connect \
    a motor to a line: it destroys the Pi.
    """, isDanger: true)

  /// The current of a buzzer.
  package static let buzzerCurrent = WiringNote(
    "A line gives 16 mA at most. A buzzer that takes more, and each magnetic one, needs a transistor and a diode.")

  /// The level of a strip's data line.
  package static let stripLevel = WiringNote(
    """
    A strip at 5 V takes a high level of 3.5 V at least, and a line gives 3.3 V. Put a 74AHCT125 between the line and the \
    strip, with 5 V at its VCC and ground at its OE.
    """)

  /// The level of a MAX7219's inputs.
  package static let segmentLevel = WiringNote(
    """
    A MAX7219 takes a high level of 3.5 V at least, and a line gives 3.3 V. Put a 74AHCT125 between the lines and the board, \
    with 5 V at its VCC and ground at its OE.
    """)

  /// The supply of a strip.
  package static let stripSupply = WiringNote(
    """
    Give the strip a 5 V supply of its own, 60 mA for each pixel, and connect its ground to a ground of the Pi. Put 1000 µF \
    at the beginning of the strip.
    """)

  /// Lines that need PWM channels.
  ///
  /// - Parameter overlays: the line for `config.txt` of each.
  package static func pwmOverlay(_ overlays: [String]) -> WiringNote {
    let lines =
      overlays.count > 1 ? "\(overlays.dropLast().joined(separator: ", ")) and \(overlays.last!)" : overlays[0]
    return WiringNote("Add \(lines) to config.txt for the PWM, and restart the Pi.")
  }

  static let relayInput = danger5V(
    """
    power the relay board and measure the voltage between IN and GND. If the voltage is above 3.3 V, do not connect IN to the \
    Pi. You can use such a board only if it has a JD-VCC jumper: remove the jumper, connect JD-VCC to 5 V, and VCC to 3.3 V, \
    not to 5 V.
    """)

  /// The current of relay coils, as the total of all devices with the note.
  static func relayCoils(count: Int) -> WiringNote {
    WiringNote(
      "In total, the relay coils of the panel take about ", .sum(75 * count),
      " mA from 5 V. The Pi's power supply must deliver this current in addition. Leave mains voltage to an electrician."
    )
  }

  /// The state of a load between power-on and the start of the panel; nil if it stays off.
  ///
  /// - Parameters:
  ///   - line: The name of the load's line.
  ///   - isActiveHigh: Whether a high level switches the load on.
  static func relayAtPowerOn(line: String, isActiveHigh: Bool) -> WiringNote? {
    guard let line = BoardHeader.line(named: line) else { return nil }
    switch (BoardHeader.powerOnPull(ofLine: line), isActiveHigh) {
    case (.up, true):
      return WiringNote(
        """
        At power-on GPIO0 to GPIO8 are pulled up: this relay may switch on until the panel runs. Use GPIO9 to GPIO27, \
        or wire 4.7 kΩ from the line to ground.
        """)
    case (.down, false):
      return WiringNote(
        """
        At power-on GPIO9 to GPIO27 are pulled down: a relay that is active low may switch on until the panel runs. Use GPIO4 to \
        GPIO8, or wire 4.7 kΩ from the line to 3.3 V.
        """)
    default: return nil
    }
  }

  /// The effect of an inductive load on the contacts of a relay.
  static let inductiveLoad = WiringNote(
    """
    A motor, a valve or a magnet causes sparks when the relay's contacts open. Put a part across such a load: at DC a diode \
    (1N4007, cathode to plus), at AC an RC snubber.
    """)

  /// Relays of which the panel permits only one to be on at a time.
  package static func interlock(of names: [String]) -> WiringNote {
    let (relays, all, others) =
      names.count > 2
      ? (
        "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])", "all of them",
        "contacts of the others"
      )
      : (names.joined(separator: " and "), "both", "contact of the other")
    return WiringNote(
      """
      The panel keeps \(relays) from closing together only while it runs. From power-on until the panel runs, and after a \
      failure, \(all) can close. For a motor, wire the supply of each relay through the NC \(others).
      """, isDanger: true)
  }

  /// A sensor without a circuit, and the origin of its number.
  package static func withoutCircuit(_ name: String, _ origin: String) -> WiringNote {
    WiringNote("\(name) has no circuit here: \(origin).")
  }

  /// The output of a panel's sounds.
  ///
  /// - Parameter device: The name of the sound device in the panel file.
  package static func soundDevice(_ device: String) -> WiringNote {
    WiringNote(
      "Sounds go to the sound device \(device) (aplay -L lists all). The headphone jack, HDMI and USB need no wire. A HAT uses pins of the header."
    )
  }

  /// A contact that is closed at rest.
  ///
  /// - Parameter word: The panel's word for the open contact, for example "pressed" or "broken".
  static func normallyClosed(openWord word: String) -> WiringNote {
    WiringNote(
      "NC is normally closed: the contact is closed at rest. Therefore a broken wire counts as ", .words([word]), ".")
  }

  /// A contact without a pull in the chip.
  static let externalPull = WiringNote(
    "\"pull: none\": without the 10 kΩ the line floats, and the input changes at random.")

  /// A thermometer on a line of the header, which a kernel driver reads.
  static func oneWireOverlay(line: String) -> WiringNote {
    WiringNote(
      """
      The thermometer needs dtoverlay=w1-gpio,gpiopin=\(line.drop { !$0.isNumber }) in config.txt. Several thermometers share \
      the line and one 4.7 kΩ.
      """)
  }

  /// Inputs that request pull-down resistors on a chip without any.
  static func noPullDowns(of chip: String) -> WiringNote {
    WiringNote(
      "\(chip) has no resistors to ground: \"pull: down\" cannot work there, and the line floats. Wire the contact to ground and write pull: up."
    )
  }

  /// Another device on the line of the 1-Wire bus.
  static let oneWireShared = WiringNote(
    """
    GPIO4 is the line of the 1-Wire thermometer, unless config.txt names another line for the bus. The kernel holds GPIO4, so \
    the panel does not start. Wire the other device to another line.
    """)

  static let keypadRows = WiringNote(
    "Two keys of one column, pressed together, connect two rows: 1 kΩ in each row protects the lines.")

  static let piezoOnly = WiringNote(
    "Wire only a piezo disc to a line. An active 5 V buzzer takes 30 mA and needs a transistor.")
}
