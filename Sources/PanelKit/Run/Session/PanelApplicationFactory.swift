import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import PanelKinds
import PanelLanguage
import PanelNetwork

/// The settings for the applications of a session.
package struct PanelApplicationFactory {
  var platform: Platform
  var sounds: [PanelSound]
  var card: any SoundCard
  var chance: UInt64
  var isSoundRequired: Bool
  var waitsForLines: Bool
  /// The panel's broker; nil for a broker in memory.
  var network: MQTTEnvironment?
  /// Whether another panel can replace this one.
  var isReloadable: Bool
  /// Records the edges of the panel's own chip; nil to record none.
  var edgeRecorder: Recorder?
  /// The place of values that are kept over restarts.
  let place: PanelKeptValues.Location
  /// Reserves the folder of the kept values for this panel; nil if none is needed.
  package var stateClaim: FolderClaim?
  /// The kept values; nil for a panel without any.
  var kept: PanelKeptValues?
  /// Keeps the sounds while another panel replaces this one; nil if a reload is not possible.
  var player: PlaybackReloadHandover?
  let positions = MotorPositions()
  /// The chips of the last application.
  private(set) var chips: PanelChips?

  init(
    platform: Platform, sounds: [PanelSound], card: any SoundCard, chance: UInt64, isSoundRequired: Bool,
    waitsForLines: Bool, network: MQTTEnvironment?, isReloadable: Bool, keeping place: PanelKeptValues.Location
  ) {
    self.place = place
    (self.platform, self.sounds, self.card, self.chance) = (platform, sounds, card, chance)
    (self.isSoundRequired, self.waitsForLines, self.isReloadable) = (isSoundRequired, waitsForLines, isReloadable)
    self.network = network
    player = isReloadable ? PlaybackReloadHandover() : nil
  }

  /// Creates an application; opens nothing.
  ///
  /// - Parameters:
  ///   - panel: the application's panel.
  ///   - record: records what the rules do; nil for no record.
  ///   - draws: the results of the first random draws.
  ///   - old: the panel that this one replaces, and the state that continues; nil for a first panel.
  mutating func application(
    of panel: PanelDefinition, _ record: RuleTrace?, draws: [Int] = [],
    replacing old: (panel: PanelDefinition, continuation: PanelContinuation)? = nil
  ) -> PanelApplication {
    var before: (PanelChips, PanelDefinition)?
    if let old, let chips { before = (chips, old.panel) }
    let recording = edgeRecorder.map { recorder in
      { [platform] (chip: any GPIOChip) -> any GPIOChip in
        EdgeRecordingChip(chip, recorder: recorder) { platform.bench.loop.now }
      }
    }
    let chips = PanelChips(
      of: panel, own: platform.hardware(at: GPIOChipPort(of: panel)), on: platform, keepsLines: isReloadable,
      replacing: before, recording: recording)
    self.chips = chips
    positions.beginUse()
    return PanelApplication(
      panel, on: platform, chips: chips, card: card, sounds: sounds, chance: chance, draws: draws,
      isSoundRequired: isSoundRequired, waitsForLines: waitsForLines, network: network, kept: kept, recorder: record,
      player: player, positions: positions, continuing: old?.continuation)
  }
}
