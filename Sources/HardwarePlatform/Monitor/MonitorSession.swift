import CycleCore
import Glibc
import HardwareLinux
import Monitor
import Terminal

/// The monitor that a command line requests.
package final class MonitorSession {
  private static let monitor = "--monitor"
  private static let place = "--monitor-address"
  private static let listen = "--monitor-listen"
  private static let control = "--monitor-control"
  private static let host = "--monitor-host"
  private static let tokens = "--monitor-tokens"

  package static let all = [
    CommandSyntax.Option(
      monitor, help: "Show the panel in a browser, at 127.0.0.1:8377.", valueOption: place),
    CommandSyntax.Option(
      place, value: "ADDRESS", "127.0.0.1:PORT or unix:PATH",
      help: "Serve the monitor at 127.0.0.1:PORT or unix:PATH instead."
    ) { ListenAddress($0) != nil },
    CommandSyntax.Option(listen, help: "Allow an ADDRESS that other machines can reach."),
    CommandSyntax.Option(control, help: "Let the browser also operate the panel."),
    CommandSyntax.Option(
      host, value: "NAME", "a host name", help: "Another name that browsers use for this machine. Repeat it for more.",
      isRepeatable: true),
    CommandSyntax.Option(
      tokens, value: "FILE", help: "Keep the access tokens in this file, so that the addresses stay the same."),
  ]

  private let settings: MonitorSettings?
  private let diagnostics: Diagnostics
  private var ring = RecordingRing()
  private var bell = MonitorBell()
  private var served: Monitor?
  /// The application that is watched; the monitor doesn't keep it.
  private var monitored: (any MonitoredApplication)?
  private var isReady = false
  /// Whether the option was given.
  package var isAsked: Bool { settings != nil }
  /// The sinks for the recording that the monitor shows; empty without a monitor.
  package var sinks: [any RecordingSink] { settings == nil ? [] : [ring, bell] }

  /// - Throws: `CommandEnd` for options that need another, `DriverError` if a monitor is not possible.
  package init(_ arguments: ParsedArguments, of syntax: CommandSyntax, _ diagnostics: Diagnostics) throws {
    self.diagnostics = diagnostics
    guard arguments.has(Self.monitor) else {
      for option in [Self.place, Self.listen, Self.control, Self.host, Self.tokens] where arguments.has(option) {
        throw syntax.misuse("\(option) needs \(Self.monitor)")
      }
      settings = nil
      return
    }
    let address = arguments.value(of: Self.place).flatMap { ListenAddress($0) } ?? .standard
    if !address.isLocal {
      guard arguments.has(Self.listen) else {
        throw syntax.misuse(
          "\(Self.place): other machines can reach this address; add \(Self.listen) to allow that (nothing is encrypted)"
        )
      }
      diagnostics.write(
        .warning,
        "monitor: everyone on the network who has a token can use it, and nothing is encrypted; unix:/path and ssh -L are safer"
      )
    }
    try Monitor.check()
    let hasControl = arguments.has(Self.control)
    let tokens =
      try arguments.value(of: Self.tokens).map { path throws(DriverError) in
        try MonitorTokens.kept(in: path, hasControl: hasControl)
      } ?? .random(hasControl: hasControl)
    var settings = MonitorSettings(tokens: tokens)
    settings.address = address
    settings.hosts = arguments.values(of: Self.host)
    self.settings = settings
  }

  /// Starts serving, and writes the addresses to standard error, because they contain the tokens. If a console covers
  /// the terminal, they are not written there. Does nothing without the option.
  ///
  /// - Parameters:
  ///   - monitored: the application to watch.
  ///   - loop: the loop that the application runs on.
  package func serve(_ monitored: any MonitoredApplication, on loop: LinuxLoop) throws(DriverError) {
    guard let settings else { return }
    let monitor = try Monitor(settings, of: monitored, showing: ring, woken: bell)
    monitor.onFailure = { [diagnostics] error in diagnostics.write(.error, "monitor: \(error)") }
    try loop.onReadable(monitor.descriptor) { [unowned self] in isReady = true }
    (served, self.monitored) = (monitor, monitored)
    if !hasScreen || isatty(STDERR_FILENO) == 0 { writeAddresses() }
  }

  /// Whether a console covers the terminal, and draws the ``addresses``.
  package var hasScreen = false

  /// The addresses for a browser, with their use: `watch` or `control`. Empty unless the monitor serves.
  package var addresses: [(use: String, url: String)] { served?.addresses ?? [] }

  private func writeAddresses() {
    for (use, url) in addresses { Output.errors.write("monitor: \(use)  \(url)\n") }
  }

  /// Ends the service, and replaces ``sinks`` for the recording of another application, which is served next at the
  /// same addresses.
  ///
  /// - Parameter loop: the loop that the applications run on.
  package func beginAnew(on loop: LinuxLoop) {
    if let served { loop.removeReadable(served.descriptor) }
    end()
    (ring, bell, isReady) = (RecordingRing(), MonitorBell(), false)
  }

  /// Does the pending work of the monitor; called after each turn of the application.
  package func turn() {
    guard isReady else { return }
    isReady = false
    served?.turn()
  }

  /// Reports to watchers that the application has ended, and closes the connections.
  package func end() {
    served?.end()
    (served, monitored) = (nil, nil)
  }
}
