import HardwareDrivers
import PanelLanguage
import Terminal

/// The information that a panel publishes about itself once, so that `mosquitto_sub -t 'panel/+/info'` is an inventory.
struct PanelInfoMessage {
  /// The version of the topics and their payloads.
  static let topics = 1

  private let panel: PanelDefinition
  private let place: MQTTEnvironment

  init(_ panel: PanelDefinition, _ place: MQTTEnvironment) {
    (self.panel, self.place) = (panel, place)
  }

  /// - Parameter started: the start time of the panel, in milliseconds since 1970.
  func payload(started: Int) -> [UInt8] {
    let info = JSON.object([
      "name": .text(panel.name), "version": .text(PanelInstallation.version), "host": .text(place.host),
      "file": .text(place.file), "started": .text(WallClock.text(secondsSince1970: started / 1000)),
      "topics": .number(Self.topics),
    ])
    return Array(info.line.utf8)
  }
}
