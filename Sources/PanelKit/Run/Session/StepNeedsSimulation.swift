import HardwareDrivers
import HardwarePlatform
import PanelLanguage

extension PanelSession {
  /// An error message if the step needs simulated hardware and the hardware is real; nil if the step can be performed.
  package func obstacle(to step: Step) -> String? {
    switch step {
    case .unplug(.audio), .plug(.audio), .stutter:
      card == nil ? "the sound card is not simulated: use --audio simulated" : nil
    case .unplug(.network), .plug(.network):
      platform.simulated(named: BrokerPort.name).isEmpty ? "the network is not simulated: use --network simulated" : nil
    case .unplugPort(let port), .plugPort(let port):
      platform.simulated(named: port).isEmpty
        ? "the hardware of \(port) is not simulated; use --\(port) simulated" : nil
    case .press, .release, .click, .hold, .turn, .switch, .bounce, .jam, .free, .busy, .idle, .unplug, .plug, .sense,
      .event, .unplugSensor, .plugSensor:
      chips == nil ? "the inputs are real: press them by hand, or use --gpio simulated" : nil
    case .powerCut, .restart:
      chips == nil || card == nil ? "real hardware has a plug to pull: use --gpio simulated --audio simulated" : nil
    case .clock:
      platform.simulated(named: ClockPort.name).isEmpty ? "the clock is not simulated; use --clock simulated" : nil
    case .reload: settings.isReloadable ? nil : "a running panel is reloaded by panel reload NAME"
    case .wait, .nothing, .heard, .expect, .show, .seed, .draw, .remote: nil
    }
  }
}
