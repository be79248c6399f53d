import CycleCore
import PanelEngine
import PanelLanguage
import PanelRun

/// The visible state of a panel in a frame, in the words of its file: states, outputs, values and sounds.
struct PanelFrameText {
  private let items: [(name: String, text: String)]
  private let stateCount: Int

  init(_ application: PanelApplication, in frame: PanelFrame) {
    let (panel, show) = (application.panel, application.show)
    let states = show.toldRegions.map { region in
      let state = show.toldState(of: region, in: frame)
      return (
        panel.regions[region].name.map { "state.\($0)" } ?? "state", state < 0 ? "" : show.path(of: state, in: region)
      )
    }
    let view = OutputView(values: show.values(in: frame), age: .zero)
    let outputs = panel.outputs.enumerated().map { place, output in
      (output.name, "\(output.device.observed.look(of: show.appearance(of: place, in: frame), in: view))")
    }
    let values = panel.values.enumerated().map { place, value in
      (
        value.name,
        value.list.map { value.text(of: frame.elements(of: $0)) } ?? value.text(of: frame[value: place])
      )
    }
    let audible = show.audible(in: frame).map { panel.sounds[$0].name }
    let playing = [("playing", audible.isEmpty ? "nothing" : audible.joined(separator: ","))]
    items = states + outputs + values + (panel.sounds.isEmpty ? [] : playing)
    stateCount = states.count
  }

  /// All items: `state=dark  lamp=off`.
  var line: String { items.map { "\($0.name)=\($0.text)" }.joined(separator: "  ") }

  /// The differences from an earlier frame: `dark -> lit  lamp=on`. With several regions, a state has the name of its
  /// region.
  func changes(since earlier: PanelFrameText) -> String {
    zip(earlier.items, items).enumerated().compactMap { place, pair in
      let (old, new) = pair
      guard old.text != new.text else { return nil }
      guard place < stateCount else { return "\(new.name)=\(new.text)" }
      return "\(stateCount == 1 ? "" : "\(new.name): ")\(old.text) -> \(new.text)"
    }.joined(separator: "  ")
  }
}
