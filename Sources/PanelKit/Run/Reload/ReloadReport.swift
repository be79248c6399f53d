import HardwareDrivers
import PanelEngine
import PanelLanguage

/// The changes at a reload, one line per item: lines, values and states.
struct ReloadReport {
  private let old: PanelDefinition
  private let before: PanelFrame
  private let oldShow: PanelRendering
  private let application: PanelApplication

  /// - Parameters:
  ///   - old: the previous panel.
  ///   - before: its last frame.
  ///   - oldShow: what it showed.
  ///   - application: the panel that replaces it.
  init(from old: PanelDefinition, _ before: PanelFrame, _ oldShow: PanelRendering, to application: PanelApplication) {
    (self.old, self.before, self.oldShow, self.application) = (old, before, oldShow, application)
  }

  private var panel: PanelDefinition { application.panel }

  /// Returns the report of the lines: `line GPIO23 kept`, `new`, `changed`, `released` or `unused`.
  ///
  /// - Parameters:
  ///   - held: the lines of the previous panel.
  ///   - holding: the lines of the new panel.
  ///   - isHeld: whether a line that the new panel doesn't use is still held, as part of another line's request.
  func lines(
    from held: [LineConfiguration], to holding: [LineConfiguration], _ isHeld: (LineName) -> Bool
  ) -> [String] {
    let lines = holding.map { line in
      let last = held.first { $0.name == line.name }
      return "line \(line.name) \(last.map { $0.isSameLine(as: line) ? "kept" : "changed" } ?? "new")"
    }
    let gone = held.filter { line in !holding.contains { $0.name == line.name } }
    return lines + gone.map { "line \($0.name) \(isHeld($0.name) ? "unused" : "released")" }
  }

  /// The report of the values: `value rings kept 12`, `value level 12 is 10 now`, `value night new 0`, `value day
  /// gone`.
  var values: [String] {
    let frame = application.frame
    let kept = panel.values.enumerated().map { place, value in
      let now = text(of: place, in: panel, frame)
      guard let other = ResumedFrame.value(like: value, in: old) else { return "value \(value.name) new \(now)" }
      let last = text(of: other, in: old, before)
      return now == last ? "value \(value.name) kept \(now)" : "value \(value.name) \(last) is \(now) now"
    }
    let gone = old.values.filter { ResumedFrame.value(like: $0, in: panel) == nil }
    return kept + gone.map { "value \($0.name) gone" }
  }

  private func text(of value: Int, in panel: PanelDefinition, _ frame: PanelFrame) -> String {
    let value = (place: value, definition: panel.values[value])
    let definition = value.definition
    return definition.list.map { definition.text(of: frame.elements(of: $0)) }
      ?? definition.text(of: frame[value: value.place])
  }

  /// The report of the states: `state main kept idle`, `state main entered idle`.
  var states: [String] {
    let frame = application.frame
    let last = oldShow.toldRegions.map { region in
      (old.regions[region].name ?? "main", oldShow.path(of: oldShow.toldState(of: region, in: before), in: region))
    }
    return application.show.toldRegions.map { region in
      let show = application.show
      let (name, path) = (
        panel.regions[region].name ?? "main", show.path(of: show.toldState(of: region, in: frame), in: region)
      )
      return "state \(name) \(last.contains { $0 == (name, path) } ? "kept" : "entered") \(path)"
    }
  }
}

extension LineConfiguration {
  /// Whether two configurations are equal apart from an output's value.
  fileprivate func isSameLine(as other: LineConfiguration) -> Bool {
    var own = self
    if case .output(_, let drive, let bias) = own.direction, case .output(let value, _, _) = other.direction {
      own.direction = .output(value, drive, bias)
    }
    return own == other
  }
}
