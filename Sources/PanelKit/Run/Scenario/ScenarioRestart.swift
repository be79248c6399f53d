import CycleCore
import HardwareDrivers
import PanelLanguage
import Terminal

/// Reads how a panel stops before it starts again: `{ after: stop }`, `{ after: power-cut, at: rename }`.
struct RestartReader {
  static let place = FieldSet(
    name: "a restart",
    keys: [
      Key(name: "after", takes: "stop or power-cut", isRequired: true, shape: .text),
      Key(
        name: "at", takes: "where a save is cut: rename", shape: .text,
        meaning: "waits until the next save of what is kept comes there"),
    ])

  let names: Names
  let problems: ProblemList

  func restart(_ field: Field) -> Restart? {
    guard let fields = problems.fields(field.node, Self.place, at: field.position),
      let after = problems.text(fields["after"])
    else { return nil }
    let at = fields["at"]
    switch after {
    case "stop":
      guard let at else { return .stop }
      problems.add(at.position, "\"at\" is where a power cut cuts a save; leave it out, or write after: power-cut")
    case "power-cut":
      guard let at else { return .powerCut(at: nil) }
      guard (names.panel?.keptCount ?? 0) > 0 else {
        problems.add(at.position, "\"at\" on a panel that keeps nothing; leave it out, or give a value keep: true")
        return nil
      }
      guard let text = problems.text(at) else { return nil }
      if let place = KeptValuesFolder.PowerCut(rawValue: text) { return .powerCut(at: place) }
      problems.add(
        at.node.position,
        "a save has no step \(quoted(text)); write one of \(listed(KeptValuesFolder.PowerCut.allCases.map(\.rawValue)))"
      )
    default:
      problems.add((fields["after"] ?? field).node.position, "after \(quoted(after)); write stop or power-cut")
    }
    return nil
  }
}

extension Restart {
  /// The keys and values in the order of the file.
  var fields: [(String, String)] {
    switch self {
    case .stop: [("after", "stop")]
    case .powerCut(let place): [("after", "power-cut")] + (place.map { [("at", $0.rawValue)] } ?? [])
    }
  }
}

/// Performs restarts.
struct ScenarioRestart {
  let session: PanelSession

  /// Performs a restart. Returns the failures.
  func restart(_ restart: Restart) throws(DriverError) -> [String] {
    session.world.note(restart)
    switch restart {
    case .stop: try session.restart()
    case .powerCut(nil): try session.cutPower(for: Restart.pause, isNoted: true)
    case .powerCut(let place?):
      guard try comes(to: place) else {
        return ["no save reached \(place.rawValue): change a kept value before the restart"]
      }
      try session.cutPower(for: Restart.pause, isNoted: true)
    }
    return []
  }

  /// Lets time pass until a save reaches a place; returns false if none does. A disk is not written if nothing has
  /// changed.
  private func comes(to place: KeptValuesFolder.PowerCut) throws(DriverError) -> Bool {
    guard let kept = session.kept else { return false }
    kept.folder.cutPower(at: place)
    defer { kept.folder.cutPower(at: nil) }
    let longest = kept.items.map(\.within).max() ?? .zero
    // A change is saved after `within` at most. The first save ever has no step `link`, so a second one may be needed.
    try session.advance(by: longest * 2 + .seconds(1)) { kept.folder.isCut }
    return kept.folder.isCut
  }
}
