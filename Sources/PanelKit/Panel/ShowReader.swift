import Terminal

/// Reads what outputs show: the maps of `show` and `safe`.
struct ShowReader {
  let names: Names
  let problems: ProblemList

  /// - Parameter isSafe: whether this is `safe`, which must last without a program: it can't blink, dim or follow a
  ///   value.
  func shows(_ field: Field?, isSafe: Bool = false) -> [(show: PanelDefinition.Show, position: Position)] {
    problems.entries(field).compactMap { entry in
      guard let output = names.output(entry.key, at: entry.position, problems),
        let device = names.outputDevices[output], entry.value.content != .refused,
        let appearance = device.appearance(reading: ShowField(entry: entry, names: names, problems: problems))
      else { return nil }
      if isSafe, !appearance.staysWithoutProgram {
        problems.add(
          entry.value.position,
          "\(quoted(entry.key)) in safe can't look like that, as nothing drives it when the program has ended; "
            + "write on, off or, for a bar, a number of lamps"
        )
        return nil
      }
      return (.init(output: output, appearance: appearance), entry.position)
    }
  }
}
