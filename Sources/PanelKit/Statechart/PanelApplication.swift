import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// A panel file as an application: an ordinary cycle, one lens for each kind of device.
final class PanelApplication {
  let panel: PanelDefinition
  let show: PanelShow
  let cycle: any Application<PanelFrame>
  private let currentReportCounts: () -> ReportCounts

  /// - Parameters:
  ///   - sounds: the file's sounds, in its order; empty for a panel without any.
  ///   - isSoundRequired: whether the start fails if the sound device can't be opened.
  ///   - waitsForLines: whether a chip or a line that can't be requested yet is retried; otherwise the start fails.
  init(
    _ panel: PanelDefinition, on chip: any GPIOChip, card: any SoundCard, sounds: [PanelSound],
    isSoundRequired: Bool = false, waitsForLines: Bool = false
  ) {
    self.panel = panel
    let rules = PanelRules(panel: panel)
    let show = PanelShow(panel: panel)
    self.show = show
    let devices = PanelDevices(of: panel, on: chip)
    let safe = panel.safe

    // The order of wiring is the order of events at one moment: those of inputs, then those of sounds, then deadlines.
    let cycle = Cycle(seed: rules.seed) {
      rules.lenses(of: devices.buttons, as: devices.buttonInputs, .buttons, isRequired: !waitsForLines)
      rules.lenses(of: devices.switches, as: devices.switchInputs, .switches, isRequired: !waitsForLines)
      rules.lenses(of: devices.encoders, as: devices.encoderInputs, .encoders, isRequired: !waitsForLines)
      rules.lenses(
        of: devices.leds, .leds, show: show.filter(of: devices.ledOutputs) { show.light($0) },
        safe: devices.ledOutputs.map { show.light(safe[$0]) }, isRequired: !waitsForLines)
      rules.lenses(
        of: devices.bars, .bars,
        show: { [outputs = devices.barOutputs, lamps = devices.barLamps] frame in
          zip(outputs, lamps).map { output, count in
            .init(level: show.lamps(show.appearance(of: output, in: frame), of: count, in: frame))
          }
        },
        safe: zip(devices.barOutputs, devices.barLamps).map { output, count in
          .init(level: show.lamps(safe[output], of: count, in: rules.seed))
        }, isRequired: !waitsForLines)
      rules.lenses(
        of: devices.relays, .relays, show: show.filter(of: devices.relayOutputs) { $0 == .on ? .on : .off },
        safe: devices.relayOutputs.map { safe[$0] == .on ? .on : .off }, isRequired: !waitsForLines)
      // A panel without sounds opens no card.
      LensList(count: sounds.isEmpty ? 0 : 1) { _ in
        Lens(
          AudioPlayer(card, preparing: sounds.compactMap(\.clip)), name: PanelFrame.DeviceKinds.audio.word,
          show: { frame in
            AudioPlayer.Model(
              show.playing(in: frame).map { sounds[$0].sound(restart: frame[start: $0]) },
              volume: show.volume(in: frame))
          },
          on: { frame, event in
            switch event {
            case .finished(let key, .ended):
              if let sound = panel.sounds.firstIndex(where: { $0.name == key }) { rules.end(sound: sound, in: &frame) }
            case .underrun: frame.note(.underrun)
            case .started, .finished: break
            }
          },
          trouble: { frame, trouble in rules.note(trouble, of: .audio, in: &frame) }, isRequired: isSoundRequired)
      }
      LensList(count: show.hasDeadlines ? 1 : 0) { _ in
        Lens(
          Timer<PanelDeadline>(), name: "timer", show: { show.deadlines(in: $0) },
          on: { frame, event in if case .due(let deadline) = event { rules.react(to: deadline, in: &frame) } })
      }
    }
    self.cycle = cycle
    currentReportCounts = { ReportCounts(troubles: cycle.frame.troubleCount, lostEdges: cycle.frame.lossCount) }
  }

  var frame: PanelFrame { cycle.frame }

  /// The numbers of troubles and lost edges in a frame, to find without a copy of it whether anything has to be logged.
  struct ReportCounts {
    var troubles: Int
    /// At least so many.
    var lostEdges: Int
  }

  var reportCounts: ReportCounts { currentReportCounts() }
}

extension PanelRules {
  /// Lenses of the inputs of one kind. An event of a device that has a word in panel files is applied to the rules, as
  /// an event of the input with the device's number; lost edges are counted.
  @inline(__always)
  fileprivate func lenses<Device: PanelInput>(
    of devices: [Device], as inputs: [Int], _ part: PanelFrame.DeviceKinds, isRequired: Bool
  ) -> LensList<Lens<PanelFrame, Each<Device>>> {
    LensList(
      each: devices, name: part.word,
      on: { [self] frame, event in
        guard case .device(let number, let event) = event else { return }
        if let word = Device.word(for: event) { react(to: .input(inputs[number], word), in: &frame) }
        if let edges = Device.lostEdges(in: event) { frame.noteLoss(of: edges, at: inputs[number]) }
      },
      trouble: { [self] frame, trouble in note(trouble, of: part, in: &frame) }, isRequired: isRequired)
  }

  /// Lenses of the outputs of one kind.
  @inline(__always)
  fileprivate func lenses<Device: LineDevice>(
    of devices: [Device], _ part: PanelFrame.DeviceKinds, show: @escaping (PanelFrame) -> [Device.Model],
    safe: [Device.Model],
    isRequired: Bool
  ) -> LensList<Lens<PanelFrame, Each<Device>>> {
    LensList(
      each: devices, name: part.word, show: show,
      trouble: { [self] frame, trouble in note(trouble, of: part, in: &frame) }, safe: safe, isRequired: isRequired)
  }

  /// Adds a driver's trouble to the frame, and applies the loss or the return of hardware.
  func note(_ trouble: Trouble, of part: PanelFrame.DeviceKinds, in frame: inout PanelFrame) {
    frame.note(.trouble(trouble, part))
    switch trouble {
    case .lost: change(part, isMissing: true, in: &frame)
    case .restored: change(part, isMissing: false, in: &frame)
    case .failed, .eventsLost: break
    }
  }
}

/// A device that a panel file can react to.
protocol PanelInput: LineDevice where Model == NoModel {
  /// The file's word for an event; nil for those that it has none for.
  static func word(for event: Event) -> InputEvent?
  /// The least number of lost edges, for an event about lost edges; nil for other events.
  static func lostEdges(in event: Event) -> Int?
}

extension Button: PanelInput {
  static func word(for event: Event) -> InputEvent? {
    switch event {
    case .pressed: .pressed
    case .released: .released
    case .held: .held
    case .clicked: .clicked
    case .doubleClicked: .doubleClicked
    case .edgesLost: nil
    }
  }

  static func lostEdges(in event: Event) -> Int? { if case .edgesLost(let count) = event { count ?? 1 } else { nil } }
}

extension Switch: PanelInput {
  static func word(for event: Event) -> InputEvent? {
    switch event {
    case .on: .on
    case .off: .off
    case .edgesLost: nil
    }
  }

  static func lostEdges(in event: Event) -> Int? { if case .edgesLost(let count) = event { count ?? 1 } else { nil } }
}

extension RotaryEncoder: PanelInput {
  static func word(for event: Event) -> InputEvent? {
    switch event {
    case .clockwise: .clockwise
    case .counterclockwise: .counterclockwise
    case .skipped, .edgesLost: nil
    }
  }

  static func lostEdges(in event: Event) -> Int? {
    switch event {
    case .edgesLost(let count): count ?? 1
    case .skipped: 1
    default: nil
    }
  }
}
