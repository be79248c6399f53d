import CycleCore
import PanelLanguage
import PanelProof
import PanelRun
import Terminal

enum Prove: Subcommand {
  static let syntax = CommandSyntax(
    "panel prove", "Prove the never: and reach: rules of a panel file, or print a counterexample.",
    discussion: """
      The proof covers every possible input at every possible time. It also covers lost hardware, unless --no-faults is given. \
      A counterexample is written as a scenario beside the panel file. For a panel from standard input without --name, the \
      scenario is only printed. Ctrl-C stops the proof and prints the result so far.

      With --json, each line is an object for one rule. Its members are file, name, text, kind (never, interlock, reach or end) \
      and result (proved, violated, reached, unreached or undecided). A violation also has inputs, counterexample (a list of \
      lines), scenario (the text of a scenario that reproduces it, or null) and scenario_file (its path, or null). The last object \
      has the kind summary and the members result, situations, depth and milliseconds, and interrupted (true) after Ctrl-C.
      """,
    examples: """
      $ panel prove 10-garage.panel.yaml
      10-garage.panel.yaml: Garage door
        proved      never crushing          down == on and beam == broken
        proved      interlock up, down      never switched on together
        reached     open                    without an input, at 0ms, from the start with top on
        ...

      $ panel prove chess-clock.panel.yaml --limit white-time=0s..2s --limit black-time=0s..2s
      $ panel prove garage.panel.yaml --seconds 600 --situations 2000000
      """, operands: [.panelFile],
    options: [
      CommandSyntax.Option(
        "--limit", value: "NAME=LOW..HIGH",
        help: """
          Restrict a value, the length of a list or the numbers of a sensor to a range, so that there is less to search. \
          Repeat it for more names.
          """, isRepeatable: true),
      CommandSyntax.Option("--no-faults", help: "Assume that the GPIO chip, the sound card and sensors never fail."),
      .number(
        "--situations", value: "COUNT", 1...1_000_000_000,
        help: "Search at most COUNT situations: combinations of states, values, inputs and times (default: 200000)."),
      .seconds("--seconds", help: "Search for at most this time (default: 60)."), .json,
      .fileName,
    ],
    statuses: [
      (ExitStatus.failed, "A rule is violated, or a state of reach: cannot be reached."),
      (ExitStatus.undecided, "A limit stopped the proof before the end."),
      (ExitStatus.interrupted, "Ctrl-C stopped the proof; no violation was found so far."),
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let input = try PanelFileArgument(arguments.operands[0], arguments)
      let file = input.file
      var options = ProofReport.Options()
      options.hasFaults = !arguments.has("--no-faults")
      if let number = arguments.value(of: "--situations").flatMap(Quantity.whole) { options.bounds.situations = number }
      if let number = arguments.value(of: "--seconds").flatMap(Quantity.whole) {
        options.bounds.span = .seconds(number)
      }
      let panel = try input.panel(kinds: kinds)
      do throws(RangeRestriction.Fault) {
        options.limits = try RangeRestriction.list(arguments.values(of: "--limit"), for: panel)
      } catch {
        diagnostics.write(.error, "panel prove: \(error.text)")
        return ExitStatus.wrongUsage
      }
      let clock = ContinuousClock()
      let beginning = clock.now
      let sounds = PanelSound.all(panel.sounds)
      let progress = ProgressLine()
      InterruptFlag.watch()
      let proof = Proof(
        panel: panel, sounds: sounds, bounds: options.bounds, hasFaults: options.hasFaults,
        limits: options.limits, elapsed: { clock.now - beginning }
      ) { search in
        progress.update {
          "\(ProgressLine.grouped(search.store.count)) situations, \(counted(search.depth, "input")) deep"
        }
        return !InterruptFlag.isRequested
      }
      let outcome = proof.run()
      progress.clear()
      options.place = ScenarioDestination(ofPanel: input.path, operands: input.operands)
      options.span = clock.now - beginning
      let verdict = ProofReport(panel: panel, file: file, outcome: outcome, options: options)
      if arguments.has("--json") {
        for object in try verdict.json(options.span) { Output.print(object.line) }
      } else {
        for line in try verdict.lines(options.span) { Output.print(line) }
      }
      return verdict.status
    }
  }
}
