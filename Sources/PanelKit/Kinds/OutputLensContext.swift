import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage

/// The inputs for making the lenses of outputs.
public struct OutputLensContext {
  package let rules: PanelRules
  /// The first frame, without randomness.
  package let seed: PanelFrame
  /// Provides the hardware that has its own port.
  public let platform: Platform
  /// The chip of the lines of these devices.
  public let chip: any GPIOChip
  /// The numbers of the devices in the file.
  package let outputs: [Int]
  /// The number of the input with the events of each device; nil for a device without events.
  package let reports: [Int?]
  /// The name of the lenses in messages.
  package let lens: String
  /// The number of the lenses' source of trouble.
  package let source: Int
  package let isRequired: Bool
  /// The moment since which each output has had its first appearance; nil for the moment of the start.
  package let since: [Moment?]
  /// The positions of motors, which continue if the panel replaces another one.
  package let positions: MotorPositions

  package init(
    rules: PanelRules, seed: PanelFrame, platform: Platform, chip: any GPIOChip, outputs: [Int], lens: String,
    source: Int, isRequired: Bool, since: [Moment?], positions: MotorPositions
  ) {
    (
      self.rules, self.seed, self.platform, self.chip, self.outputs, self.lens, self.source, self.isRequired
    ) = (rules, seed, platform, chip, outputs, lens, source, isRequired)
    (self.since, self.positions) = (since, positions)
    let all = rules.panel.reports
    reports = outputs.map { all[$0] }
  }

  var show: PanelRendering { rules.show }

  /// The lenses of outputs that do not use lines of the panel's chip.
  ///
  /// - Parameters:
  ///   - drivers: the driver of each device, in the order of the devices.
  ///   - kind: the plural of the kind, for messages.
  ///   - model: makes the model of the driver at a place for an appearance.
  ///   - report: converts an event of a driver to one of `OutputKind.events`; nil to ignore it. The default ignores all
  ///     events.
  public func lenses<D: Driver>(
    of drivers: [D], kind: String, model: @escaping (_ place: Int, OutputAppearance, PanelValues) -> D.Model,
    report: @escaping (D.Event) -> InputReport? = { _ in nil }
  ) -> LensBundle where D.Event: Codable {
    let (rules, seed, show, outputs) = (rules, seed, show, outputs)
    let devices = outputs.map { rules.panel.outputs[$0].device }
    // Outputs at a chip of the file are lost with the chip. A device that switches lines is the only one of its source.
    let isOnChip = devices.contains { rules.panel.chip(of: $0) != nil }
    let losesLines = isOnChip || devices.contains { $0.switchesLines }
    let source = PanelTrouble.Source(lens: kind, hardware: losesLines ? .gpio : nil, number: source)
    let reports = OutputEventRouter(of: self)
    let parts = drivers.indices.map { place in
      LensBundle(
        lenses: AnyLensGroup {
          let shown = show.models(of: [outputs[place]], seed: seed) { _, appearance, values in
            model(place, appearance, values)
          }
          Lens(
            drivers[place], name: rules.panel.outputs[outputs[place]].name, show: { shown.models(in: $0)[0] },
            on: { frame, event, past in
              if let report = report(event) { reports.apply(report, of: place, rules, at: past.moment, in: &frame) }
            },
            safe: model(place, rules.panel.safe[outputs[place]], show.values(in: seed))
          ).refusingEvents { event in
            report(event).flatMap { reports.refusal(of: $0, at: place) }
          }.onTrouble { frame, trouble, past in
            guard devices[place].switchesLines else {
              return rules.note(trouble, of: source, at: past.moment, in: &frame)
            }
            var single = source
            if case .lost(let error) = trouble, !devices[place].isLossOfLines(error) { single.hardware = nil }
            rules.note(trouble, ofSingle: single, at: past.moment, in: &frame)
          }
        },
        journal: LensEventFormatter(
          source: source,
          text: { event in
            (event as? D.Event).flatMap(report).flatMap { reports.text(of: $0, at: place) }
          },
          isTrouble: { event in (event as? D.Event).flatMap(report)?.isTrouble ?? false }))
    }
    return LensBundle(joining: parts)
  }
}
