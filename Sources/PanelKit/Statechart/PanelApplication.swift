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
  ///   - isSoundRequired: whether a sound device that can't be opened ends the start.
  ///   - waitsForLines: whether a chip or a line that can't be had yet is waited for, instead of ending the start.
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

    // At one moment, what inputs tell comes before what sounds tell, and that before deadlines: that is the order of wiring.
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
          AudioPlayer(card, preparing: sounds.compactMap(\.clip)), name: PanelFrame.Set.audio.word,
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
          Timer<PanelDeadline>(), show: { show.deadlines(in: $0) },
          on: { frame, event in if case .due(let deadline) = event { rules.react(to: deadline, in: &frame) } })
      }
    }
    self.cycle = cycle
    currentReportCounts = { ReportCounts(troubles: cycle.frame.troubleCount, lostEdges: cycle.frame.lossCount) }
  }

  var frame: PanelFrame { cycle.frame }

  /// How much there has been to report, without the rest of the frame.
  struct ReportCounts {
    var troubles: Int
    /// At least so many.
    var lostEdges: Int
  }

  var reportCounts: ReportCounts { currentReportCounts() }
}

extension PanelRules {
  /// Lenses of the inputs of one kind: each event that the panel file has a word for is one of the input with the device's number.
  @inline(__always)
  fileprivate func lenses<Device: PanelInput>(
    of devices: [Device], as inputs: [Int], _ part: PanelFrame.Set, isRequired: Bool
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
    of devices: [Device], _ part: PanelFrame.Set, show: @escaping (PanelFrame) -> [Device.Model], safe: [Device.Model],
    isRequired: Bool
  ) -> LensList<Lens<PanelFrame, Each<Device>>> {
    LensList(
      each: devices, name: part.word, show: show,
      trouble: { [self] frame, trouble in note(trouble, of: part, in: &frame) }, safe: safe, isRequired: isRequired)
  }

  /// What trouble of a driver means to the panel: hardware that went away or came back.
  func note(_ trouble: Trouble, of part: PanelFrame.Set, in frame: inout PanelFrame) {
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
  /// How many edges are missing at least, where the event says that some are; nil for other events.
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
