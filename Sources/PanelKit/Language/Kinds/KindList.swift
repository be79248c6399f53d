import HardwareDrivers

/// The kinds of devices that panel files can name.
public struct KindList: Sendable {
  /// The input words. Messages use the first one in examples.
  package var inputs: [any InputDeclaration.Type]
  package var outputs: [any OutputDeclaration.Type]
  /// The sources of the numbers of sensors.
  package var sensors: [any SensorDeclaration.Type]
  /// The kinds of additional chips for devices.
  package var chips: [any ChipKind.Type]
  /// The kind of the clock's inputs; nil for a list without a clock.
  package var clock: (any ClockInputKind.Type)?
  /// The folder of the panel file, for the files that it names; empty for the working directory.
  package var folder = ""
  /// Whether a panel is read without the sheets of its sensors if they are missing or wrong: to make its outputs safe, or
  /// to replay a recording, which has the numbers.
  package var replacesMissingSheets = false

  /// The kinds for reading a panel whose sensors are not read.
  package var withoutSheets: KindList {
    var kinds = self
    kinds.replacesMissingSheets = true
    return kinds
  }

  package init(
    inputs: [any InputDeclaration.Type], outputs: [any OutputDeclaration.Type], sensors: [any SensorDeclaration.Type],
    chips: [any ChipKind.Type], clock: (any ClockInputKind.Type)? = nil
  ) {
    (self.inputs, self.outputs, self.sensors, self.chips) = (inputs, outputs, sensors, chips)
    self.clock = clock
  }
}

extension PanelDefinition {
  /// The ports that the panel needs, each once.
  package var ports: [any Port.Type] {
    var ports: [any Port.Type] = [GPIOChipPort.self]
    if !sounds.isEmpty { ports.append(SoundCardPort.self) }
    for input in inputs { ports += input.device.usedPorts }
    for output in outputs { ports += type(of: output.device).ports }
    for chip in chips { ports += type(of: chip.kind).ports }
    if asksForPower { ports.append(MachinePowerPort.self) }
    return distinct(ports)
  }
}

/// The ports without those whose name an earlier one has.
private func distinct(_ ports: [any Port.Type]) -> [any Port.Type] {
  ports.reduce(into: []) { distinct, port in
    if !distinct.contains(where: { $0.name == port.name }) { distinct.append(port) }
  }
}

extension KindList {
  /// The ports that the outputs of a panel can need, each once: the GPIO chip, and those of the kinds.
  package var outputPorts: [any Port.Type] {
    var ports: [any Port.Type] = [GPIOChipPort.self]
    for output in outputs { ports += output.ports }
    for chip in chips { ports += chip.ports }
    return distinct(ports)
  }

  /// The ports that a panel can need, each once: the GPIO chip, the sound card, those of the kinds, the network, and the
  /// power of the machine.
  package var ports: [any Port.Type] {
    var ports: [any Port.Type] = [GPIOChipPort.self, SoundCardPort.self]
    ports += outputPorts
    for input in inputs { ports += input.ports }
    for sensor in sensors { ports += sensor.ports }
    if clock != nil { ports.append(ClockPort.self) }
    ports += [BrokerPort.self, MachinePowerPort.self]
    return distinct(ports)
  }
}

/// A word that names the source of a sensor's number.
public protocol SensorDeclaration: Equatable, Sendable {
  /// The keys that a file can write for such a source; the first one names it.
  static var grammar: FieldSet { get }
  /// The ports of the hardware that such sensors need beside the lines of a chip: `[I2CBusPort.self]`. A command has an
  /// option for each, `--i2c real|simulated`, and a scenario the step `unplug: i2c`. The default is none.
  static var ports: [any Port.Type] { get }
}

extension SensorDeclaration {
  public static var ports: [any Port.Type] { [] }
  /// The key that names the source: `w1`.
  package static var word: String { grammar.keys[0].name }
}
