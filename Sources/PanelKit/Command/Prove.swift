import CycleCore
import HardwareLinux
import Terminal

enum Prove: Subcommand {
  static let syntax = CommandSyntax(
    "panel prove", "Looks through everything that can happen on a panel for what its file says must never be.",
    discussion: """
      Ends with 0 if all of `never` and `interlocks` holds and all states of `reach` are reached, with 1 if not, and with 75 if
      there is too much to look at. Examples:

        panel prove garage.panel.yaml
        panel prove chess.panel.yaml --limit white-time=0s..2s --limit black-time=0s..2s
      """, operands: [.panelFile],
    options: [
      CommandSyntax.Option(
        "--limit", value: "NAME=0..3",
        help: "Narrows a value, the length of a list, or what a sensor reads, for this proof. May be repeated.",
        isRepeatable: true),
      CommandSyntax.Option("--no-faults", help: "The chip, the sound card and sensors are never lost."),
      CommandSyntax.Option(
        "--situations", value: "N", help: "Looks at so many situations at most; 200000 unless given."
      ) {
        Quantity.whole($0).map { $0 > 0 } ?? false
      },
      CommandSyntax.Option("--seconds", value: "N", help: "Takes so long at most; 60 unless given.") {
        Quantity.whole($0).map { $0 > 0 } ?? false
      },
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    let file = PanelFile.path(of: arguments.operands[0])
    return perform(diagnostics) {
      var options = Verdict.Options()
      options.hasFaults = !arguments.has("--no-faults")
      if let number = arguments.value(of: "--situations").flatMap(Quantity.whole) { options.bounds.situations = number }
      if let number = arguments.value(of: "--seconds").flatMap(Quantity.whole) {
        options.bounds.span = .seconds(number)
      }
      let panel = try PanelFile.read(path: file, kinds: kinds)
      do throws(ProofLimit.Fault) {
        options.limits = try ProofLimit.list(arguments.values(of: "--limit"), for: panel)
      } catch {
        diagnostics.write(.error, "panel prove: \(error.text)")
        return ExitStatus.wrongUsage
      }
      let clock = ContinuousClock()
      let beginning = clock.now
      let sounds = try PanelSound.load(panel.sounds)
      let proof = Proof(
        panel: panel, sounds: sounds, bounds: options.bounds, hasFaults: options.hasFaults,
        limits: options.limits, elapsed: { clock.now - beginning })
      let verdict = Verdict(panel: panel, file: file, outcome: proof.run(), options: options)
      for line in try verdict.lines(clock.now - beginning) { Output.print(line) }
      return verdict.status
    }
  }
}
