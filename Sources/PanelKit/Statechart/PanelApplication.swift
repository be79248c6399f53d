import CycleCore
import HardwareDrivers
import HardwareLinux

/// A panel file as an application: an ordinary cycle, one lens for each kind of device.
final class PanelApplication {
  let panel: PanelDefinition
  let show: PanelShow
  let cycle: any Application<PanelFrame>
  /// What is said of the events of each lens, by its number.
  let journals: [LensJournal]
  /// What decides about chance from outside.
  let control: PanelControl
  private let currentReportCounts: () -> ReportCounts

  /// - Parameters:
  ///   - platform: gives the hardware that has a port of its own.
  ///   - sounds: the file's sounds, in its order; empty for a panel without any.
  ///   - chance: what the numbers that are drawn depend on.
  ///   - isSoundRequired: whether the start fails if the sound device can't be opened.
  ///   - waitsForLines: whether a chip or a line that can't be requested yet is retried; otherwise the start fails.
  ///   - recorder: is told what the rules do.
  init(
    _ panel: PanelDefinition, on platform: Platform, chip: any GPIOChip, card: any SoundCard, sounds: [PanelSound],
    chance: UInt64 = 0, isSoundRequired: Bool = false, waitsForLines: Bool = false,
    recorder: (any RulesRecorder)? = nil
  ) {
    self.panel = panel
    let rules = PanelRules(panel: panel, recorder: recorder)
    let show = PanelShow(panel: panel)
    self.show = show
    let devices = PanelDevices(of: panel)
    let isRequired = !waitsForLines
    let audio = PanelTrouble.Source(lens: "audio", hardware: .audio, number: devices.sourceCount - 1)
    let lenses =
      devices.inputs.enumerated().map {
        $1.lenses(in: panel, rules, on: platform, chip, source: $0, isRequired: isRequired)
      }
      + devices.outputs.enumerated().map {
        $1.lenses(rules, show, on: platform, chip, source: devices.inputs.count + $0, isRequired: isRequired)
      }
      + devices.interlocks.enumerated().map {
        $1.lens(
          in: OutputLensContext(
            rules: rules, show: show, platform: platform, chip: chip, outputs: $1.outputs,
            source: devices.inputs.count + devices.outputs.count + $0, isRequired: isRequired))
      }
    journals =
      lenses.flatMap(\.journals)
      + (panel.usesChance ? [LensJournal(source: audio)] : [])
      + (sounds.isEmpty ? [] : [LensJournal(ofPlayer: audio)])
      + (show.hasDeadlines ? [LensJournal(ofTimer: panel)] : [])

    // The order of wiring is the order of events at one moment: those of inputs, then those of sounds, then deadlines.
    let control = PanelControl()
    self.control = control
    let cycle = Cycle(seed: rules.seed(withChance: chance)) {
      LensGroups(lenses.flatMap(\.lenses))
      LensList(count: panel.usesChance ? 1 : 0) { _ in
        Lens(
          PanelControl.Hand(control), name: "chance",
          on: { frame, event in
            switch event {
            case .seed(let seed): frame.seed(with: seed)
            case .prescribe(let results): frame.prescribe(draws: results)
            }
          })
      }
      // A panel without sounds opens no card.
      LensList(count: sounds.isEmpty ? 0 : 1) { _ in
        Lens(
          AudioPlayer(card, preparing: sounds.compactMap(\.clip)), name: audio.lens,
          show: { frame in
            AudioPlayer.Model(
              show.playing(in: frame).map { sounds[$0].sound(restart: frame[start: $0]) },
              volume: show.volume(in: frame))
          },
          on: { frame, event, past in
            switch event {
            case .finished(let key, .ended):
              if let sound = panel.sounds.firstIndex(where: { $0.name == key }) {
                rules.end(sound: sound, at: past.moment, in: &frame)
              }
            case .underrun: frame.note(.underrun)
            case .started, .finished: break
            }
          },
          trouble: { frame, trouble in rules.note(trouble, of: audio, in: &frame) }, isRequired: isSoundRequired)
      }
      LensList(count: show.hasDeadlines ? 1 : 0) { _ in
        Lens(
          Timer<PanelDeadline>(), name: "timer", show: { show.deadlines(in: $0) },
          on: { frame, event, past in
            if case .due(let deadline) = event { rules.react(to: deadline, at: past.moment, in: &frame) }
          })
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
