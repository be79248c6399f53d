import CycleCore
import PanelLanguage
import Terminal

/// A file that CycleMonitor saves: a moment, which is an event with the frames before and after it, or a timeline of
/// moments.
package struct CycleMonitorFile {
  /// A driver. If it has an action, its action was the event.
  struct Driver: Equatable {
    var label: String
    var action: String
    var id: String
  }

  package struct Moment: Equatable {
    /// All drivers of the application at that moment.
    var drivers: [Driver]
    /// The driver whose action was the event.
    var cause: Driver
    /// The frames before and after the event, as JSON or as text.
    var context: String
    var effect: String
    var isApproved: Bool
  }

  let path: String
  package private(set) var moments: [Moment] = []
  /// The index of the moment that was selected; nil if the timeline was live.
  private(set) var selected: Int?

  /// Reads a file.
  ///
  /// - Throws: `Problems` for a file that is neither a moment nor a timeline. They list each moment that can't be read.
  package init(path: String) throws(Problems) {
    try self.init(TextFile.read(path: path, what: "a .moment file or a timeline of CycleMonitor"), path: path)
  }

  init(_ bytes: [UInt8], path: String) throws(Problems) {
    self.path = path
    let list: BinaryPlistReader
    do throws(BinaryPlistReader.Fault) { list = try BinaryPlistReader(bytes) } catch {
      throw Self.problems(path, [error.text])
    }
    guard let events = list["events"] else {
      do throws(Fault) { moments = [try Self.moment(list)] } catch { throw Self.problems(path, [error.text(in: "")]) }
      return
    }
    guard case .array(let events) = events else { throw Self.problems(path, ["events: a list is missing"]) }
    var faults: [String] = []
    for (index, event) in events.enumerated() {
      do throws(Fault) {
        moments.append(try Self.moment(event))
      } catch {
        faults.append(error.text(in: "events[\(index)]."))
      }
    }
    if events.isEmpty { faults.append("events: the timeline is empty") }
    if case .integer(let place) = list["selectedIndex"], !events.indices.contains(place) {
      faults.append("selectedIndex: there is no moment \(place)")
    }
    guard faults.isEmpty else { throw Self.problems(path, faults) }
    if case .integer(let place) = list["selectedIndex"] { selected = place }
  }

  private static func problems(_ path: String, _ texts: [String]) -> Problems {
    Problems(kind: .wrongContent, file: path, list: texts.prefix(20).map { Problem(line: 0, column: 0, text: $0) })
  }

  /// An error in a moment, with the key where it occurs.
  private struct Fault: Error {
    var key: String
    var reason: String

    func text(in place: String) -> String { "\(place)\(key): \(reason)" }
  }

  private static func moment(_ list: BinaryPlistReader) throws(Fault) -> Moment {
    guard case .array(let listed)? = list["drivers"] else { throw Fault(key: "drivers", reason: "a list is missing") }
    guard !listed.isEmpty else {
      throw Fault(key: "drivers", reason: "the list is empty; a moment has the drivers of its application")
    }
    var drivers: [Driver] = []
    for (index, driver) in listed.enumerated() { drivers.append(try Self.driver(driver, "drivers[\(index)]")) }
    guard let cause = list["cause"] else { throw Fault(key: "cause", reason: "the driver that acted is missing") }
    let isApproved: Bool
    switch list["isApproved"] {
    case nil: isApproved = false
    case .bool(let isTrue): isApproved = isTrue
    default: throw Fault(key: "isApproved", reason: "true or false is missing")
    }
    return Moment(
      drivers: drivers, cause: try driver(cause, "cause"), context: try text(list, "context", ""),
      effect: try text(list, "effect", ""), isApproved: isApproved)
  }

  private static func driver(_ list: BinaryPlistReader, _ place: String) throws(Fault) -> Driver {
    Driver(
      label: try text(list, "label", "\(place)."), action: try text(list, "action", "\(place)."),
      id: try text(list, "id", "\(place)."))
  }

  private static func text(_ list: BinaryPlistReader, _ key: String, _ place: String) throws(Fault) -> String {
    guard case .string(let text)? = list[key] else { throw Fault(key: "\(place)\(key)", reason: "a text is missing") }
    return text
  }

  // MARK: - As a recording

  /// Writes the moments as a recording: each with its event and the frame after it. If the context of a moment is not
  /// the frame before it, the recording sets that frame. Moments have no time, so all are at 0.
  ///
  /// - Throws: `Problems` for a frame that a recording can't contain.
  package func write(to sink: any RecordingSink) throws(Problems) {
    var lenses: [RecordingHeader.Lens] = []
    for driver in moments.flatMap({ $0.drivers + [$0.cause] }) where !lenses.contains(where: { $0.name == driver.id }) {
      lenses.append(RecordingHeader.Lens(name: driver.id, driver: driver.label))
    }
    var place = 0
    do throws(RecordingTextFault) {
      let name = String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
      let recording = try RecordingImporter(
        app: name, by: "CycleMonitor", lenses: lenses, seed: Self.json(moments[0].context), to: sink)
      for (index, moment) in moments.enumerated() {
        place = index
        try recording.set(frame: Self.json(moment.context))
        let lens = lenses.firstIndex { $0.name == moment.cause.id }!
        try recording.add(event: Self.quoted(moment.cause.action), of: lens, effect: Self.json(moment.effect))
        if moment.isApproved { recording.approve() }
        if selected == index { recording.note("selected", at: recording.cause) }
      }
      recording.finish()
    } catch {
      throw Self.problems(path, ["events[\(place)]: \(error)"])
    }
  }

  /// A frame as JSON. A text that isn't JSON becomes a JSON string.
  private static func json(_ text: String) -> String {
    let isJSON =
      (try? JSONReader.read(text) { (reader) throws(RecordingTextFault) in _ = try reader.skipValue() }) != nil
    return isJSON ? text : quoted(text)
  }

  private static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.write(text)
    return writer.text
  }
}
