extension Application {
  /// Plays a take as ``play(_:to:)``, and makes a whole film of it: with its header, notes, approvals, checks and end.
  ///
  /// The steps and edges of the world are in it only where no edit changes an event: they are what the film's events came of.
  ///
  /// - Parameters:
  ///   - take: the causes.
  ///   - sink: gets the film.
  /// - Throws: as ``play(_:to:)``; ``FilmError`` if the sink has no room for the film.
  @discardableResult
  public func film(_ take: Take, to sink: any FilmSink) throws -> ReplayReport {
    let film = TakeFilm(take, to: sink)
    let report = try play(take, to: film)
    film.end()
    guard film.isWhole else {
      throw FilmError(film: take.header.app, line: 1, fault: FilmFault("there is no room for the film; make some"))
    }
    return report
  }
}

/// Adds to the lines of a take, while it is played, what the take has besides causes.
private final class TakeFilm: FilmSink {
  private let take: Take
  private let film: FilmComposer
  /// For each cause that the film will have its number in the film of the take; nil for one that was put in.
  private var origins: ArraySlice<Int?>
  private let isWholeFilm: Bool
  /// How many steps and edges have been added.
  private var (steps, edges) = (0, 0)

  init(_ take: Take, to sink: any FilmSink) {
    self.take = take
    film = FilmComposer(take.header, to: sink)
    isWholeFilm = take.written == nil && !take.edits.contains(where: \.changesEvents)
    let origins = take.played.flatMap { cause, _ in
      guard let number = cause.number else { return [Int?.none] }
      guard take.written?.contains(number) ?? true else { return [] }
      return [number] + (take.frameEdits[number] ?? []).map { _ in nil }
    }
    self.origins = origins[...]
  }

  var isWhole: Bool { film.isWhole }

  func take(_ lines: UnsafeRawBufferPointer, as part: FilmPart) -> Bool {
    if case .cause = part { addWorld(before: film.causes + 1) }
    film.take(lines, as: part)
    guard case .cause = part else { return film.isWhole }
    if let origin = origins.popFirst() ?? nil {
      for note in take.notes[origin] ?? [] { film.add(note: note) }
      if take.approvals.contains(origin) { film.addApproval() }
    }
    return film.isWhole
  }

  func flush(_ occasion: FilmFlush) {}

  var account: FilmAccount { film.account }

  /// Adds what the world did before a cause, by its number.
  private func addWorld(before cause: Int) {
    guard isWholeFilm else { return }
    while steps < take.steps.count, take.stepPlaces[steps] < cause {
      film.add(take.steps[steps])
      steps += 1
    }
    while edges < take.edges.count, take.edgePlaces[edges] < cause {
      film.add(take.edges[edges])
      edges += 1
    }
  }

  func end() {
    addWorld(before: .max)
    film.end(at: take.written == nil ? take.end : 0)
  }
}
