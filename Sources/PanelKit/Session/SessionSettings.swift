import CycleCore
import HardwareDrivers
import HardwareLinux

/// What the applications of a session are made with.
struct SessionSettings {
  var platform: Platform
  var sounds: [PanelSound]
  var card: any SoundCard
  var chance: UInt64
  var isSoundRequired: Bool
  var waitsForLines: Bool
  /// Where the panel's broker is; nil for one in memory.
  var network: NetworkPlace?
  /// Whether another panel may take the place of one.
  var isReloadable: Bool
  /// Gets the edges of the panel's own chip; nil for nobody.
  var edgeRecorder: Recorder?
  /// Where values are kept over restarts.
  let place: PanelKept.Place
  /// Has that folder for this panel alone; nil where it is none, or was not needed yet.
  var stateClaim: FolderClaim?
  /// What is kept there; nil if nothing is.
  var kept: PanelKept?
  /// Keeps the sounds while another panel takes the place of one; nil where none ever does.
  var player: PlaybackKeeper?
  /// The chips of the application that was made last.
  private(set) var chips: PanelChips?

  init(
    platform: Platform, sounds: [PanelSound], card: any SoundCard, chance: UInt64, isSoundRequired: Bool,
    waitsForLines: Bool, network: NetworkPlace?, isReloadable: Bool, keeping place: PanelKept.Place
  ) {
    self.place = place
    (self.platform, self.sounds, self.card, self.chance) = (platform, sounds, card, chance)
    (self.isSoundRequired, self.waitsForLines, self.isReloadable) = (isSoundRequired, waitsForLines, isReloadable)
    self.network = network
    player = isReloadable ? PlaybackKeeper() : nil
  }

  /// Makes an application; opens nothing.
  ///
  /// - Parameters:
  ///   - panel: what it is to be.
  ///   - record: is told what the rules do; nil for nobody.
  ///   - draws: the results of the first draws, whatever chance says.
  ///   - old: the panel whose place it takes, with what goes on from there; nil for one that begins.
  mutating func application(
    of panel: PanelDefinition, _ record: PanelRecord?, draws: [Int] = [],
    replacing old: (panel: PanelDefinition, continuation: PanelContinuation)? = nil
  ) -> PanelApplication {
    var before: (PanelChips, PanelDefinition)?
    if let old, let chips { before = (chips, old.panel) }
    let film = edgeRecorder.map { recorder in
      { [platform] (chip: any GPIOChip) -> any GPIOChip in
        FilmedChip(chip, recorder: recorder) { platform.bench.loop.now }
      }
    }
    let chips = PanelChips(
      of: panel, own: platform.hardware(at: PanelSession.port(of: panel)), on: platform, keepsLines: isReloadable,
      replacing: before, film: film)
    self.chips = chips
    return PanelApplication(
      panel, on: platform, chips: chips, card: card, sounds: sounds, chance: chance, draws: draws,
      isSoundRequired: isSoundRequired, waitsForLines: waitsForLines, network: network, kept: kept, recorder: record,
      player: player, continuing: old?.continuation)
  }
}
