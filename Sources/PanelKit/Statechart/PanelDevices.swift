import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import Terminal

/// The devices of a panel file, by kind, and for each device the index of its input or output in the file.
struct PanelDevices {
  var buttons: [Button] = []
  var buttonInputs: [Int] = []
  var switches: [Switch] = []
  var switchInputs: [Int] = []
  var encoders: [RotaryEncoder] = []
  var encoderInputs: [Int] = []
  var leds: [LED] = []
  var ledOutputs: [Int] = []
  var bars: [LEDBar] = []
  var barOutputs: [Int] = []
  var barLamps: [Int] = []
  var relays: [Relay] = []
  var relayOutputs: [Int] = []

  init(of panel: PanelDefinition, on chip: any GPIOChip) {
    for (index, input) in panel.inputs.enumerated() { add(input.device, index, chip) }
    for (index, output) in panel.outputs.enumerated() { add(output, index, chip) }
  }

  private mutating func add(_ device: PanelDefinition.InputDevice, _ index: Int, _ chip: any GPIOChip) {
    switch device {
    case .button(let line, let file):
      var settings = Button.Settings()
      settings.bias = Bias(file.contact.pull)
      settings.isActiveLow = file.contact.active == .low
      settings.debounce = file.contact.debounce
      settings.hold = file.hold
      settings.doubleClick = file.doubleClick
      settings.emitsClicks = file.emitsClicks
      buttons.append(Button(chip, line: LineName(line), settings: settings))
      buttonInputs.append(index)
    case .switch(let line, let contact):
      var settings = Switch.Settings()
      settings.bias = Bias(contact.pull)
      settings.isActiveLow = contact.active == .low
      settings.debounce = contact.debounce
      switches.append(Switch(chip, line: LineName(line), settings: settings))
      switchInputs.append(index)
    case .encoder(let a, let b, let pull):
      var settings = RotaryEncoder.Settings()
      settings.bias = Bias(pull)
      settings.isActiveLow = pull != .down
      encoders.append(RotaryEncoder(chip, lines: (LineName(a), LineName(b)), settings: settings))
      encoderInputs.append(index)
    }
  }

  private mutating func add(_ output: PanelDefinition.Output, _ index: Int, _ chip: any GPIOChip) {
    let isActiveLow = output.active == .low
    switch output.device {
    case .led(let line):
      var settings = LED.Settings()
      settings.isActiveLow = isActiveLow
      leds.append(LED(chip, line: LineName(line), settings: settings))
      ledOutputs.append(index)
    case .bar(let lines):
      var settings = LEDBar.Settings()
      settings.isActiveLow = isActiveLow
      bars.append(LEDBar(chip, lines: lines.map { LineName($0) }, settings: settings))
      barOutputs.append(index)
      barLamps.append(lines.count)
    case .relay(let line):
      var settings = Relay.Settings()
      settings.isActiveLow = isActiveLow
      relays.append(Relay(chip, line: LineName(line), settings: settings))
      relayOutputs.append(index)
    }
  }
}

extension Bias {
  init(_ pull: PanelDefinition.Pull) {
    switch pull {
    case .up: self = .pullUp
    case .down: self = .pullDown
    case .none: self = .disabled
    }
  }
}
