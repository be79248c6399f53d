import PanelLanguage
import Terminal

/// Reads the events of `heard`.
struct HeardEventsReader {
  let names: Names
  let problems: ProblemList

  /// Reads the events of the list. Each event must be in the panel's file, because others aren't recorded.
  func events(_ field: Field) -> [PanelEvent]? {
    guard let items = problems.items(field) else { return nil }
    let reader = EventReader(names: names, problems: problems)
    let events = items.compactMap { item -> PanelEvent? in
      guard let text = problems.text(item, in: field), let event = reader.event(text, at: item.position) else {
        return nil
      }
      if names.heardEvents.contains(event) { return event }
      problems.add(
        item.position, "no transition of the panel reacts to \(text); \"heard\" takes the events of the panel file")
      return nil
    }
    return events.count == items.count ? events : nil
  }
}
