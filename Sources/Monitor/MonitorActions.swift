import CycleCore

extension Monitor {
  private var application: any Application { monitored.application }

  /// Runs the turn that a command has caused.
  private func settle() throws(MonitorRefusal) {
    do throws(DriverError) { try monitored.settle() } catch { throw MonitorRefusal(409, "\(error)") }
  }

  private func checkRunning() throws(MonitorRefusal) {
    guard !application.isStopRequested else { throw MonitorRefusal(409, "the application has ended") }
  }

  func inject(_ body: CommandBody) throws(MonitorRefusal) -> HTTPAnswer {
    try checkRunning()
    // CycleMonitor's applications use this to disconnect. Here, a client only closes the connection.
    if body.has("action") {
      guard try body.text("action", atMost: 20) == "disconnect" else {
        throw MonitorRefusal(422, "\"action\" is disconnect, which does nothing here")
      }
      return .done
    }
    let (lens, event) = (try body.number("lens"), try body.json("event"))
    let accounts = application.accounts
    guard accounts.indices.contains(lens) else {
      throw MonitorRefusal(422, "there is no lens \(lens); there are \(accounts.count), from 0 on")
    }
    guard accounts[lens].pending == 0 else { throw MonitorRefusal(409, "events of this lens wait; try again") }
    do throws(RecordingTextFault) { try application.put(event: event, into: lens) } catch {
      throw MonitorRefusal(error)
    }
    try settle()
    return .numbers(("event", monitored.recorder.lastInjection))
  }

  func perform(_ body: CommandBody) throws(MonitorRefusal) -> HTTPAnswer {
    try checkRunning()
    let step = try body.text("step")
    guard monitored.isSimulated else {
      throw MonitorRefusal(409, "the devices are not simulated; operate them by hand")
    }
    try monitored.perform(step: step)
    try settle()
    return .numbers(("event", monitored.recorder.offered))
  }

  func show(_ body: CommandBody) throws(MonitorRefusal) -> Reply {
    try checkRunning()
    guard body.has("frame") != body.has("set") else {
      throw MonitorRefusal(400, "either \"frame\" or \"set\" is needed")
    }
    if body.has("set") {
      let values = try body.object("set")
      let frame: String
      do throws(RecordingTextFault) {
        frame = try application.frameText(setting: values.map { ($0.name, $0.json) })
      } catch {
        throw MonitorRefusal(error)
      }
      return .now(try set(frame: frame))
    }
    let number = try body.number("frame")
    return .later { [ring] in
      let frame = RecordingExcerpts(bytes: ring.recording() ?? []).frame(number)
      return { monitor in
        do throws(MonitorRefusal) {
          guard let frame else { throw Monitor.noFrame(number) }
          try monitor.checkRunning()
          return try monitor.set(frame: try monitor.monitored.frame(showing: frame))
        } catch {
          return error.answer
        }
      }
    }
  }

  private func set(frame: String) throws(MonitorRefusal) -> HTTPAnswer {
    // The due events come before it.
    try settle()
    do throws(RecordingTextFault) { try application.set(frame: frame) } catch { throw MonitorRefusal(error) }
    try settle()
    return .numbers(("event", monitored.recorder.lastInjection), ("frame", application.frameNumber))
  }

  func note(_ body: CommandBody) throws(MonitorRefusal) -> HTTPAnswer {
    let (event, text) = (try eventNumber(in: body), try body.text("text"))
    monitored.recorder.note(text, of: event, at: application.clock)
    return .done
  }

  func approve(_ body: CommandBody) throws(MonitorRefusal) -> HTTPAnswer {
    let (event, isRight) = (try eventNumber(in: body), try body.bool("approved"))
    monitored.recorder.approve(event, isRight)
    return .done
  }

  private func eventNumber(in body: CommandBody) throws(MonitorRefusal) -> Int {
    let event = try body.number("event")
    guard (1...max(1, ring.newestCause)).contains(event) else {
      throw MonitorRefusal(422, "there is no event \(event); the last is \(ring.newestCause)")
    }
    return event
  }

  // MARK: - Takes and files

  private func takesOfApplication() throws(MonitorRefusal) -> any MonitorRecordingEditor {
    guard let takes = monitored.takes else {
      throw MonitorRefusal(409, "edits of this application's recordings can't be played here")
    }
    return takes
  }

  func makeTake(_ body: CommandBody) throws(MonitorRefusal) -> Reply {
    let edits = try edits(in: body)
    return .later(play(try takesOfApplication(), nil, edits, isResimulated: false))
  }

  func editTake(_ id: Int, _ body: CommandBody) throws(MonitorRefusal) -> Reply {
    let take = try takes.take(id)
    let edits = take.edits + (try edits(in: body))
    guard edits.count <= EditedRecordings.mostEdits else {
      throw MonitorRefusal(422, "an edited recording has at most \(EditedRecordings.mostEdits) edits")
    }
    return .later(play(try takesOfApplication(), take.source, edits, isResimulated: false))
  }

  func resimulate(_ id: Int, _ body: CommandBody) throws(MonitorRefusal) -> Reply {
    let take = try takes.take(id)
    return .later(play(try takesOfApplication(), take.source, take.edits, isResimulated: true))
  }

  private func edits(in body: CommandBody) throws(MonitorRefusal) -> [String] {
    try body.texts("edits", atMost: EditedRecordings.mostEdits)
  }

  /// - Parameter source: the recording to which the edits apply; nil for the ring's.
  private func play(
    _ takes: any MonitorRecordingEditor, _ source: RecordingExcerpts?, _ edits: [String], isResimulated: Bool
  ) -> Work {
    { [ring] in
      let source = source ?? RecordingExcerpts(bytes: ring.recording() ?? [])
      let result = Result { () throws(MonitorRefusal) in
        try takes.play(recording: source.bytes, edits: edits, isResimulated: isResimulated)
      }
      return { monitor in
        switch result {
        case .success(let played):
          let id = monitor.takes.add(EditedRecordings.Entry(source: source, edits: edits, played: played))
          return .take(id, played, isResimulated: isResimulated)
        case .failure(let refusal): return refusal.answer
        }
      }
    }
  }

  func save(_ body: CommandBody) throws(MonitorRefusal) -> Reply {
    let takes = try takesOfApplication()
    guard let form = SavedForm(rawValue: try body.text("as", atMost: 20)) else {
      throw MonitorRefusal(422, "\"as\" must be scenario, recording or test")
    }
    let (from, to) = (try body.number("from"), try body.number("to"))
    guard from >= 1, from <= to else { throw MonitorRefusal(422, "\"from\" must be at least 1 and at most \"to\"") }
    let take = body.has("take") ? try self.takes.take(try body.number("take")).played.recording : nil
    return .later { [ring] in
      let result = Result { () throws(MonitorRefusal) in
        try takes.save(recording: take ?? ring.recording() ?? [], as: form, events: from...to)
      }
      return { _ in
        switch result {
        case .success(let text): .content("text/plain; charset=utf-8", Array(text.utf8))
        case .failure(let refusal): refusal.answer
        }
      }
    }
  }
}

extension JSONWriter {
  /// Writes a key of an object and its value.
  mutating func field(_ key: StaticString, _ value: some Recordable) {
    self.key(plain: key)
    value.write(to: &self)
  }
}

extension HTTPAnswer {
  /// Makes an object of numbers.
  static func numbers(_ numbers: (name: StaticString, value: Int)...) -> HTTPAnswer {
    var writer = JSONWriter()
    writer.beginObject()
    for (name, value) in numbers {
      writer.field(name, value)
    }
    writer.endObject()
    return .json(writer)
  }

  static func take(_ id: Int, _ played: PlayedRecording, isResimulated: Bool) -> HTTPAnswer {
    var writer = JSONWriter()
    writer.beginObject()
    writer.field("take", id)
    writer.field("mode", isResimulated ? "rehearsed" : "recorded")
    writer.key(plain: "digest")
    writer.write(played.digest)
    writer.field("events", played.events)
    writer.field("frame", played.frame)
    writer.field("first", played.first)
    writer.endObject()
    return .json(writer)
  }
}
