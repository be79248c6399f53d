import Terminal

/// Reads how a sound is played: its loudness, its side and its fades.
struct SoundSettingsReader {
  let problems: ProblemList

  /// The settings of a sound in the `play` of a state.
  func settings(_ entry: YAMLNode.Entry, _ names: Names) -> PanelDefinition.PlaySettings? {
    guard let fields = problems.fields(entry.value, Grammar.playSettings, at: entry.position) else { return nil }
    return .init(
      volume: loudness(fields["volume"], names), pan: pan(fields["pan"], names), fadeIn: fade(fields["fade-in"]),
      fadeOut: fade(fields["fade-out"]))
  }

  func loudness(_ field: Field?, _ names: Names) -> Loudness? {
    guard let field else { return nil }
    if case .map = field.node.content { return followedLoudness(field, names) }
    guard let text = problems.text(field) else { return nil }
    if let number = Quantity.number(text) {
      if (0...1).contains(number) { return .fixed(gain: Loudness.gain(ofLoudness: number)) }
      problems.addWrong(field)
      return nil
    }
    if text.hasSuffix("dB") { return decibels(field).map { .fixed(gain: Loudness.gain(ofDecibels: $0)) } }
    return names.value(text, at: field.node.position, problems).map { .value($0, decibels: nil) }
  }

  private func followedLoudness(_ field: Field, _ names: Names) -> Loudness? {
    guard let fields = problems.fields(field.node, Grammar.followedLoudness, at: field.position),
      let name = fields["value"], let text = problems.text(name),
      let value = names.value(text, at: name.node.position, problems)
    else { return nil }
    let (from, to) = (fields["from"].map { decibels($0) }, fields["to"].map { decibels($0) })
    guard let low = from ?? Loudness.decibels.lowerBound, let high = to ?? Loudness.decibels.upperBound else {
      return nil
    }
    guard low < high else {
      problems.add(
        field.node.position, "\"volume\" goes from \(Self.text(low)) to \(Self.text(high)); write the lower level first"
      )
      return nil
    }
    return .value(value, decibels: low...high)
  }

  private static func text(_ decibels: Double) -> String {
    "\(decibels == decibels.rounded() ? "\(Int(decibels))" : "\(decibels)")dB"
  }

  private func decibels(_ field: Field, in range: ClosedRange<Double> = Loudness.decibels) -> Double? {
    guard let text = problems.text(field) else { return nil }
    if let decibels = Quantity.decibels(text), range.contains(decibels) { return decibels }
    problems.addWrong(field)
    return nil
  }

  func pan(_ field: Field?, _ names: Names) -> Pan? {
    guard let field, let text = problems.text(field) else { return nil }
    if let number = Quantity.number(text) {
      if (-1...1).contains(number) { return .fixed(number) }
      problems.addWrong(field)
      return nil
    }
    return names.value(text, at: field.node.position, problems).map { .value($0) }
  }

  func fade(_ field: Field?) -> Duration? { problems.duration(field, in: .zero ... .seconds(60)) }
}
