import PanelLanguage
import Terminal

/// The environment variables of a panel: for a service from its files in `/etc/panel`, for other panels from this
/// process.
struct ServiceEnvironment {
  /// The files that systemd reads; later files have precedence.
  let files: [String]
  /// Existing files that this user can't read.
  private(set) var unreadable: [String] = []
  private var variables: [String: String] = [:]
  private let machine: any Machine
  private let isService: Bool

  init(of panel: ExaminedPanel, on machine: any Machine) {
    self.machine = machine
    isService = panel.service != nil
    files =
      panel.service.map { ["\(PanelInstallation.folder)/panel.env", "\(PanelInstallation.folder)/\($0).env"] } ?? []
    for file in files where machine.status(of: file) != nil {
      guard let text = machine.text(of: file) else {
        unreadable.append(file)
        continue
      }
      variables.merge(Self.variables(in: text)) { $1 }
    }
  }

  /// Returns the value of a variable; nil if it is not set or empty.
  func variable(_ name: String) -> String? {
    let value = isService ? variables[name] : machine.variable(name)
    return value.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Reads variables as systemd reads `EnvironmentFile=`: `NAME=VALUE`, comments after `#` and `;`, quoted values, and
  /// lines that continue after a `\` at their end.
  static func variables(in text: String) -> [String: String] {
    var variables: [String: String] = [:]
    var line = ""
    for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if part.last == "\\" {
        line += part.dropLast()
        continue
      }
      line += part
      if let (name, value) = assignment(line) { variables[name] = value }
      line = ""
    }
    return variables
  }

  private static func assignment(_ line: String) -> (name: String, value: String)? {
    let text = trimmed(line[...])
    guard let first = text.first, first != "#", first != ";", let sign = text.firstIndex(of: "=") else { return nil }
    let name = String(trimmed(text[..<sign]))
    let value = trimmed(text[text.index(after: sign)...])
    guard let mark = value.first, mark == "\"" || mark == "'", value.count > 1, value.last == mark else {
      return (name, unescaped(value))
    }
    let inner = value.dropFirst().dropLast()
    return (name, mark == "'" ? String(inner) : unescaped(inner))
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return text
  }

  /// Removes each `\` and keeps the character after it.
  private static func unescaped(_ text: Substring) -> String {
    var result = ""
    var isEscaped = false
    for character in text {
      if character == "\\", !isEscaped {
        isEscaped = true
        continue
      }
      result.append(character)
      isEscaped = false
    }
    return result
  }
}
