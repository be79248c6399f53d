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
  /// For each output the number of its source of trouble.
  let outputSources: [Int]
  /// Which lens each device has.
  let lensPlaces: LensPlaces
  /// What decides about chance from outside.
  let control: PanelControl
  /// Does to the panel what somebody asks for from outside.
  let remote: PanelRemote
  /// The panel's connection to its broker; nil for a panel without `mqtt`.
  let network: NetworkConnection?
  /// With whom the panel speaks Open Sound Control; nil for a panel without `osc`.
  let osc: OSCConnection?
  /// The source of trouble of the first address of `osc`.
  let oscSource: Int
  private let currentReportCounts: () -> ReportCounts
  private let beginning = Beginning()

  /// What the start of the cycle tells this.
  private final class Beginning {
    var onFirstFrame: (PanelFrame) -> Void = { _ in }
  }

  /// Called with the first frame, before anything shows it.
  var onFirstFrame: (PanelFrame) -> Void {
    get { beginning.onFirstFrame }
    set { beginning.onFirstFrame = newValue }
  }

  /// - Parameters:
  ///   - platform: gives the hardware that has a port of its own.
  ///   - sounds: the file's sounds, in its order; empty for a panel without any.
  ///   - chance: what the numbers that are drawn depend on.
  ///   - draws: the results of the first draws, whatever chance says.
  ///   - isSoundRequired: whether the start fails if the sound device can't be opened.
  ///   - waitsForLines: whether a chip or a line that can't be requested yet is retried; otherwise the start fails.
  ///   - network: where the panel's broker is, and who the panel is there.
  ///   - kept: what is kept, and with which numbers it starts; nil if nothing is.
  ///   - recorder: is told what the rules do.
  ///   - player: has the sounds of that panel, and keeps those of this one; nil where none goes on.
  ///   - continuation: what goes on from another panel, whose place this one takes; nil for one that begins.
  init(
    _ panel: PanelDefinition, on platform: Platform, chips: PanelChips, card: any SoundCard, sounds: [PanelSound],
    chance: UInt64 = 0, draws: [Int] = [], isSoundRequired: Bool = false, waitsForLines: Bool = false,
    network place: NetworkPlace? = nil, kept: PanelKept? = nil, recorder: (any RulesRecorder)? = nil,
    player: PlaybackKeeper? = nil,
    continuing continuation: PanelContinuation? = nil
  ) {
    self.panel = panel
    let remote = PanelRemote(of: panel)
    self.remote = remote
    let network = NetworkConnection(of: panel, at: place, on: platform, asking: remote, chance: chance)
    self.network = network
    let osc = OSCConnection(
      of: panel, id: place?.id ?? NetworkPlace(simulated: panel).id, on: platform, asking: remote, chance: chance)
    self.osc = osc
    let telegraphs = (network.map { [$0.telegraph] } ?? []) + (osc?.telegraphs ?? [])
    var recorders = recorder
    for telegraph in telegraphs { recorders = NetworkRecorder(telegraph, then: recorders) }
    let lenses = ApplicationLenses(PanelRules(panel: panel, recorder: recorders))
    show = lenses.show
    outputSources = lenses.outputSources
    oscSource = PanelDevices(of: panel).oscSource
    let devices = lenses.devices(
      on: platform, chips, isRequired: !waitsForLines, continuing: continuation)
    // What must be saved before it is shown is rendered before all else.
    let (urgent, kept) = kept?.isUrgent == true ? (kept, nil) : (nil, kept)
    journals =
      lenses.journals(of: urgent) + devices.flatMap(\.journals) + lenses.journals(hasSounds: !sounds.isEmpty)
      + lenses.journals(of: kept) + lenses.oscJournals
    lensPlaces = LensPlaces(
      of: panel, lensCounts: devices.map { $0.lenses.reduce(0) { $0 + $1.lensCount } }, after: urgent == nil ? 0 : 1)
    let control = PanelControl()
    self.control = control
    // The order of wiring is the order of events at one moment: those of inputs, then those of sounds, then deadlines.
    let first =
      continuation?.frame
      ?? lenses.rules.blank(withChance: chance, draws: draws, kept: (urgent ?? kept)?.numbers ?? [])
    let start = { [rules = lenses.rules, beginning] (frame: inout PanelFrame, moment: Moment) in
      rules.begin(at: moment, in: &frame)
      beginning.onFirstFrame(frame)
    }
    let cycle = Cycle(seed: first, start: start) {
      lenses.kept(urgent)
      LensGroups(devices.flatMap(\.lenses))
      lenses.chance(control)
      lenses.remote(remote)
      lenses.player(card, sounds, isRequired: isSoundRequired, keeper: player)
      lenses.deadlines(resuming: continuation?.running ?? [])
      lenses.network(network)
      lenses.kept(kept)
      lenses.sender(osc)
      lenses.osc(osc)
    }
    cycle.refuseFrames { [bounds = lenses.rules.bounds] frame in bounds.refusal(of: frame) }
    if continuation != nil { cycle.readingLimit = .zero }
    self.cycle = cycle
    // Both are used by drivers of the cycle, which it keeps: they don't keep it.
    remote.seen = { [unowned cycle] in cycle.frame }
    for telegraph in telegraphs { telegraph.read = { [unowned cycle] part in cycle.read(part) } }
    currentReportCounts = {
      cycle.read { frame in
        ReportCounts(
          troubles: frame.pointee.troubleCount, lostEdges: frame.pointee.lossCount, isStopped: frame.pointee.isStopped)
      }
    }
  }

  var frame: PanelFrame { cycle.frame }

  /// The numbers of troubles and lost edges in a frame, to find without a copy of it whether anything has to be logged.
  struct ReportCounts {
    var troubles: Int
    /// At least so many.
    var lostEdges: Int
    /// Whether nothing happens on the panel any more.
    var isStopped: Bool
  }

  var reportCounts: ReportCounts { currentReportCounts() }
}
