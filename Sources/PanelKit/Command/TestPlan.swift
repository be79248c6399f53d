import Glibc
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

  private(set) var suites: [Suite] = []
  /// The scenarios in folders that belong to no panel, each with advice.
  private(set) var strays: [Problems] = []

  /// - Parameters:
  ///   - operands: panel files, each followed by its scenario files or by none; only scenario files; and folders.
  ///   - name: the name of a panel file from standard input.
  init(_ operands: [String], name: String? = nil) throws(Problems) {
    for file in operands where FileKind(following: file) != .folder {
      if !Self.isScenario(file), suites.isEmpty || file.hasSuffix(Self.panelEnding) {
        suites.append(Suite(panel: file == "-" ? file : try PanelFile.find(file), scenarios: []))
      } else if !suites.isEmpty, suites[0].panel == operands.first || !Self.isScenario(operands[0]) {
        suites[suites.count - 1].scenarios.append(file)
      } else {
        let panel = try Self.panel(beside: file)
        if let place = suites.firstIndex(where: { $0.panel == panel }) {
          suites[place].scenarios.append(file)
        } else {
          suites.append(Suite(panel: panel, scenarios: [file]))
        }
      }
    }
    for place in suites.indices where suites[place].scenarios.isEmpty {
      suites[place].scenarios = try Self.scenarios(beside: suites[place].panel, name)
    }
    for folder in operands where FileKind(following: folder) == .folder {
      var count = 0
      let before = suites.count
      try add(folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder, depth: 0, &count)
      guard suites.count == before else { continue }
      throw Self.refusal(folder, "no panel in this folder; the names of panel files end with .panel.yaml", .noSuchFile)
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

  /// Finds the panel file next to a scenario that the scenario belongs to.
  private static func panel(beside scenario: String) throws(Problems) -> String {
    let (folder, prefix, name) = parts(scenario)
    let panels = try names(in: folder).filter { $0.hasSuffix(panelEnding) }
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
      let names = try names(in: folder)
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

  /// Adds the panels of a folder and of the folders inside it, by their names. Skips hidden folders and links to
  /// folders.
  private mutating func add(_ folder: String, depth: Int, _ count: inout Int) throws(Problems) {
    count += 1
    guard depth <= Self.deepest, count <= Self.mostFolders else {
      throw Self.refusal(
        folder, "more than \(Self.mostFolders) folders, or one inside \(Self.deepest) others; name folders inside it")
    }
    let names = try Self.names(in: folder)
    let path = { (name: String) in
      folder == "." ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }
    let panels = names.filter { $0.hasSuffix(".panel.yaml") }
    var scenarios: [String: [String]] = [:]
    if !panels.isEmpty {
      for name in names where name.hasSuffix(".scenario.yaml") {
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
    suites += panels.map { Suite(panel: path($0), scenarios: scenarios[$0] ?? []) }
    for name in names where !name.hasPrefix(".") && FileKind(path(name)) == .folder {
      try add(path(name), depth: depth + 1, &count)
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

  /// Returns the names in a folder, sorted. Calls `opendir` and `readdir`.
  static func names(in folder: String) throws(Problems) -> [String] {
    let directory = (PathBytes.bytes(of: folder) + [0]).withUnsafeBytes { bytes in
      opendir(bytes.assumingMemoryBound(to: CChar.self).baseAddress!)
    }
    guard let directory else {
      let isForbidden = errno == EACCES || errno == EPERM
      throw Self.refusal(
        folder, "can't be read: \(String(cString: strerror(errno))); let this user read it (chmod)",
        isForbidden ? .notPermitted : .noSuchFile)
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        PathBytes.text(of: Array(bytes.prefix { $0 != 0 }))
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
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
