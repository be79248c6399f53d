import CycleCore
import HardwareDrivers
import HardwarePlatform
import PanelEngine
import PanelKinds
import PanelLanguage
import PanelNetwork

/// A panel file as an application: a cycle with one lens for each kind of device.
package final class PanelApplication {
  package let panel: PanelDefinition
  package let show: PanelRendering
  package let cycle: any Application<PanelFrame>
  /// The journal of each lens, by its number.
  package let journals: [LensEventFormatter]
  /// The number of each output's source of trouble.
  package let outputSources: [Int]
  /// The lens of each device.
  package let lensPlaces: DeviceLensMap
  /// Controls the random draws from outside.
  let control: RandomControl
  /// Applies remote commands to the panel.
  let remote: RemoteCommandInput
  /// The panel's connection to its broker; nil for a panel without `mqtt`.
  let network: MQTTConnection?
  /// The panel's Open Sound Control connection; nil for a panel without `osc`.
  let osc: OSCConnection?
  /// The source of trouble of the first address of `osc`.
  let oscSource: Int
  /// The moment since which each output has shown its first appearance, in a panel that replaces another one.
  let shownSince: [Moment?]?
  private let currentReportCounts: () -> TroubleSnapshot
  private let beginning = Beginning()

  /// The data that the start of the cycle passes to the application.
  private final class Beginning {
    var onFirstFrame: (PanelFrame) -> Void = { _ in }
  }

  /// Called with the first frame, before any output shows it.
  package var onFirstFrame: (PanelFrame) -> Void {
    get { beginning.onFirstFrame }
    set { beginning.onFirstFrame = newValue }
  }

  /// - Parameters:
  ///   - platform: provides the hardware that has its own port.
  ///   - sounds: the file's sounds, in its order; empty for a panel without sounds.
  ///   - chance: the seed of the random numbers.
  ///   - draws: the results of the first draws; they replace random numbers.
  ///   - isSoundRequired: whether the start fails if the sound device can't be opened.
  ///   - waitsForLines: whether requests of unavailable chips or lines are retried; if not, the start fails.
  ///   - network: the address of the panel's broker, and the panel's identity there.
  ///   - kept: the kept items and their initial numbers; nil if nothing is kept.
  ///   - recorder: records the work of the rules.
  ///   - player: holds the sounds of the previous panel and keeps those of this one; nil if no sound continues.
  ///   - positions: the positions of motors, which continue from the previous panel.
  ///   - continuation: the state of the previous panel, which this one replaces; nil for a new start.
  init(
    _ panel: PanelDefinition, on platform: Platform, chips: PanelChips, card: any SoundCard, sounds: [PanelSound],
    chance: UInt64 = 0, draws: [Int] = [], isSoundRequired: Bool = false, waitsForLines: Bool = false,
    network place: MQTTEnvironment? = nil, kept: PanelKeptValues? = nil, recorder: (any RulesRecorder)? = nil,
    player: PlaybackReloadHandover? = nil, positions: MotorPositions = MotorPositions(),
    continuing continuation: PanelContinuation? = nil
  ) {
    self.panel = panel
    let remote = RemoteCommandInput(of: panel)
    self.remote = remote
    let network = MQTTConnection(of: panel, at: place, on: platform, asking: remote, chance: chance)
    self.network = network
    let osc = OSCConnection(
      of: panel, id: place?.id ?? MQTTEnvironment(simulated: panel).id, on: platform, asking: remote, chance: chance)
    self.osc = osc
    let publishers = (network.map { [$0.publisher] } ?? []) + (osc?.publishers ?? [])
    var recorders = recorder
    for publisher in publishers { recorders = NetworkRecorder(publisher, then: recorders) }
    let lenses = ApplicationLenses(PanelRules(panel: panel, recorder: recorders))
    show = lenses.show
    shownSince = continuation?.since
    outputSources = lenses.outputSources
    oscSource = DriverGroups(of: panel).oscSource
    let drivers = lenses.drivers(of: chips, isRequired: !waitsForLines)
    let devices = lenses.devices(
      on: platform, chips, isRequired: !waitsForLines, continuing: continuation, positions)
    // Values that must be saved before they are shown are rendered first.
    let (urgent, kept) = kept?.isUrgent == true ? (kept, nil) : (nil, kept)
    journals =
      lenses.journals(of: urgent) + (drivers + devices).flatMap(\.journals)
      + lenses.journals(hasSounds: !sounds.isEmpty)
      + lenses.journals(of: kept) + lenses.oscJournals + lenses.powerJournals
    lensPlaces = DeviceLensMap(
      of: panel, lensCounts: devices.map { $0.lenses.reduce(0) { $0 + $1.lensCount } },
      after: drivers.count + (urgent == nil ? 0 : 1))
    let control = RandomControl()
    self.control = control
    // The lenses are in the order of events at one moment: inputs, then sounds, then deadlines.
    let first =
      continuation?.frame
      ?? lenses.rules.blank(withChance: chance, draws: draws, kept: (urgent ?? kept)?.numbers ?? [])
    let start = { [rules = lenses.rules, beginning] (frame: inout PanelFrame, moment: Moment) in
      rules.begin(at: moment, in: &frame)
      beginning.onFirstFrame(frame)
    }
    let cycle = Cycle(seed: first, start: start) {
      lenses.kept(urgent)
      LensGroups((drivers + devices).flatMap(\.lenses))
      lenses.chance(control)
      lenses.remote(remote)
      lenses.player(card, sounds, isRequired: isSoundRequired, handover: player)
      lenses.deadlines(resuming: continuation?.running ?? [])
      lenses.network(network)
      lenses.kept(kept)
      lenses.sender(osc)
      lenses.osc(osc)
      lenses.power(on: platform)
    }
    cycle.refuseFrames { [bounds = lenses.rules.bounds] frame in bounds.refusal(of: frame) }
    if continuation != nil { cycle.readingLimit = .zero }
    self.cycle = cycle
    // The cycle owns the drivers that use these closures, so they must not own the cycle.
    remote.seen = { [unowned cycle] in cycle.frame }
    for publisher in publishers { publisher.read = { [unowned cycle] part in cycle.read(part) } }
    currentReportCounts = { cycle.read { TroubleSnapshot(of: $0) } }
  }

  package var frame: PanelFrame { cycle.frame }

  var reportCounts: TroubleSnapshot { currentReportCounts() }
}
