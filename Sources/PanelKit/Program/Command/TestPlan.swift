import Glibc
import PanelLanguage
import Terminal

/// The scenarios to run, and the panels to run them on.
struct TestPlan {
  /// A panel file and its scenario files.
  struct Suite: Equatable {
    var panel: String
    var scenarios: [String]
  }

  static let deepest = 16
  static let mostFolders = 10_000

  /// Each panel once, and each of its scenarios once.
  private(set) var suites: [Suite] = []
  /// The operands that can't be run and the scenarios in folders that belong to no panel, each with advice.
  private(set) var strays: [Problems] = []
  /// The places in `suites`, by the entries of the panels.
  private var places: [String: Int] = [:]
  /// The entries of the panels and scenarios in `suites`.
  private var pairs: Set<[String]> = []

  /// - Parameters:
  ///   - operands: panel files, each followed by its scenario files or by none; only scenario files; and folders.
  ///   - name: the name of a panel file from standard input.
  init(_ operands: [String], name: String? = nil) {
    let files = operands.filter { FileKind(following: $0) != .folder }
    // If the first file is a panel, a scenario runs on the panel before it; otherwise on the panel it belongs to.
    let isPanelFirst = files.first.map { !Self.isScenario($0) } ?? false
    var groups: [Suite] = []
    for file in files {
      if file.hasSuffix(Self.panelEnding) || (isPanelFirst && groups.isEmpty) {
        groups.append(Suite(panel: file, scenarios: []))
      } else if isPanelFirst {
        groups[groups.count - 1].scenarios.append(file)
      } else {
        do throws(Problems) {
          groups.append(Suite(panel: try Self.panel(beside: file), scenarios: [file]))
        } catch {
          strays.append(error)
        }
      }
    }
    for var group in groups {
      do throws(Problems) {
        if group.panel != "-" { group.panel = try PanelFile.find(group.panel) }
        if group.scenarios.isEmpty { group.scenarios = try Self.scenarios(beside: group.panel, name) }
        add(group)
      } catch {
        strays.append(error)
      }
    }
    for folder in operands where FileKind(following: folder) == .folder { add(folder: folder) }
  }

  /// Adds a panel and its scenarios, without those that were added before.
  private mutating func add(_ suite: Suite) {
    let panel = Self.entry(suite.panel)
    let place = places[panel] ?? suites.count
    if place == suites.count {
      places[panel] = place
      suites.append(Suite(panel: suite.panel, scenarios: []))
    }
    for scenario in suite.scenarios where pairs.insert([panel, Self.entry(scenario)]).inserted {
      suites[place].scenarios.append(scenario)
    }
  }

  /// Adds the panels of a folder and of the folders inside it, or a problem if it has no panel or no scenario.
  private mutating func add(folder: String) {
    let strayCount = strays.count
    var found: [Suite] = []
    var count = 0
    do throws(Problems) {
      let path = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
      try search(path, depth: 0, &count, &found)
    } catch {
      strays.append(error)
    }
    guard strays.count == strayCount, found.allSatisfy(\.scenarios.isEmpty) else {
      for suite in found { add(suite) }
      return
    }
    if let first = found.first {
      strays.append(
        Self.refusal(
          first.panel, "no scenario beside it; the names of scenarios end with .scenario.yaml", .noSuchFile))
    } else {
      strays.append(
        Self.refusal(folder, "no panel in this folder; the names of panel files end with .panel.yaml", .noSuchFile))
    }
  }

  private static let panelEnding = ".panel.yaml"
  private static func isScenario(_ file: String) -> Bool { file.hasSuffix(".scenario.yaml") }

  /// Splits a path into the folder for `opendir`, the prefix for the paths of its files, and the name of the file.
  private static func parts(_ path: String) -> (folder: String, prefix: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", "", path) }
    let prefix = String(path[...slash])
    return (prefix, prefix, String(path[path.index(after: slash)...]))
  }

  /// Returns the folder's device and inode, and the name of the file: equal for all paths to one entry of a folder.
  /// Returns the path if there is no such folder. Calls `stat`.
  private static func entry(_ path: String) -> String {
    let (folder, _, name) = parts(path)
    var status = stat()
    let code = (PathBytes.bytes(of: folder) + [0]).withUnsafeBytes { bytes in
      stat(bytes.assumingMemoryBound(to: CChar.self).baseAddress!, &status)
    }
    return code == 0 ? "\(status.st_dev):\(status.st_ino)/\(name)" : path
  }

  /// Finds the panel file next to a scenario that the scenario belongs to.
  private static func panel(beside scenario: String) throws(Problems) -> String {
    let (folder, prefix, name) = parts(scenario)
    let panels = try DirectoryListing.sorted(in: folder).filter { $0.hasSuffix(panelEnding) }
    if let panel = panel(of: name, among: panels) { return prefix + panel }
    let advice = "name it first: panel test FILE.panel.yaml \(visible(scenario))"
    throw refusal(
      scenario,
      panels.isEmpty
        ? "no panel file beside this scenario; \(advice)" : "it belongs to none of \(listed(panels)); \(advice)",
      .noSuchFile)
  }

  /// Finds the scenario files next to a panel file that belong to it.
  private static func scenarios(beside panel: String, _ name: String?) throws(Problems) -> [String] {
    let file = panel == "-" ? name ?? "" : panel
    let (folder, prefix, own) = parts(file)
    var scenarios: [String] = []
    if own.hasSuffix(panelEnding) {
      let names = try DirectoryListing.sorted(in: folder)
      let panels = Set(names.filter { $0.hasSuffix(panelEnding) } + [own]).sorted()
      scenarios = names.filter { isScenario($0) && self.panel(of: $0, among: panels) == own }.map { prefix + $0 }
    }
    guard scenarios.isEmpty else { return scenarios }
    let stem = own.hasSuffix(panelEnding) ? String(own.dropLast(panelEnding.count)) : "NAME"
    throw refusal(
      panel, "no scenario beside it belongs to it; write \(prefix)\(stem).scenario.yaml, or name a scenario",
      .noSuchFile)
  }

  private static func refusal(_ path: String, _ text: String, _ kind: Problems.Kind = .wrongContent) -> Problems {
    Problems(kind: kind, file: path, list: [Problem(line: 0, column: 0, text: text)])
  }

  /// Finds the panels of a folder and of the folders inside it, by their names. Skips hidden folders and links to
  /// folders.
  private mutating func search(
    _ folder: String, depth: Int, _ count: inout Int, _ found: inout [Suite]
  ) throws(Problems) {
    count += 1
    guard depth <= Self.deepest, count <= Self.mostFolders else {
      throw Self.refusal(
        folder, "more than \(Self.mostFolders) folders, or one inside \(Self.deepest) others; name folders inside it")
    }
    let names: [String]
    do throws(Problems) {
      names = try DirectoryListing.sorted(in: folder)
    } catch {
      strays.append(error)
      return
    }
    let path = { (name: String) in
      folder == "." ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }
    let panels = names.filter { $0.hasSuffix(Self.panelEnding) }
    var scenarios: [String: [String]] = [:]
    if !panels.isEmpty {
      for name in names where Self.isScenario(name) {
        guard let panel = Self.panel(of: name, among: panels) else {
          strays.append(
            Self.refusal(
              path(name),
              "it belongs to none of \(listed(panels)); begin its name with that of a panel, as \(Self.example(name, panels[0]))"
            ))
          continue
        }
        scenarios[panel, default: []].append(path(name))
      }
    }
    found += panels.map { Suite(panel: path($0), scenarios: scenarios[$0] ?? []) }
    for name in names where !name.hasPrefix(".") && FileKind(path(name)) == .folder {
      try search(path(name), depth: depth + 1, &count, &found)
    }
  }

  /// Finds the panel that a scenario belongs to: the one with the longest name that begins the scenario's name, or the
  /// only one.
  static func panel(of scenario: String, among panels: [String]) -> String? {
    if panels.count == 1 { return panels[0] }
    let name = scenario.dropLast(".scenario.yaml".count)
    let fitting = panels.filter { panel in
      let stem = panel.dropLast(".panel.yaml".count)
      return name == stem || name.hasPrefix("\(stem)-") || name.hasPrefix("\(stem).")
    }
    return fitting.max { $0.count < $1.count }
  }

  private static func example(_ scenario: String, _ panel: String) -> String {
    "\(panel.dropLast(".panel.yaml".count))-\(scenario)"
  }

}

enum FileKind {
  case folder, other

  /// Finds the kind of the file at a path, without following a link. Calls `lstat`.
  init(_ path: String) {
    var status = stat()
    let code = (PathBytes.bytes(of: path) + [0]).withUnsafeBytes { bytes in
      lstat(bytes.assumingMemoryBound(to: CChar.self).baseAddress!, &status)
    }
    self = code == 0 && status.st_mode & S_IFMT == S_IFDIR ? .folder : .other
  }

  /// Finds the kind of the file at a path, following links. Calls `stat`.
  init(following path: String) {
    var status = stat()
    let code = (PathBytes.bytes(of: path) + [0]).withUnsafeBytes { bytes in
      stat(bytes.assumingMemoryBound(to: CChar.self).baseAddress!, &status)
    }
    self = code == 0 && status.st_mode & S_IFMT == S_IFDIR ? .folder : .other
  }
}
