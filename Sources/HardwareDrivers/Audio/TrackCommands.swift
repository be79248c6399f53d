import CycleCore

/// The tracks of a model as commands for the mixer, which knows them by numbers.
struct TrackCommands {
  /// The tracks of the last model.
  private(set) var wanted: [AudioPlayer.Track] = []
  /// Those of them that fit.
  private var shown: [AudioPlayer.Track] = []
  /// Why some of them can't be played; nil if all can.
  private(set) var fault: DriverError?
  /// The names of the tracks by their numbers, from 1 on. A name that was used stays, because a sound of it may still
  /// fade out.
  private var names: [String] = []
  /// The commands that were sent last, by the kind and the number of what they set.
  private var gains: [Int: VoiceCommand] = [:]
  private var ducks: [Int: VoiceCommand] = [:]

  func number(of track: String) -> Int? {
    guard shown.contains(where: { $0.name == track }) else { return nil }
    return names.firstIndex(of: track).map { $0 + 1 }
  }

  /// Sends commands for what differs from the last ones.
  ///
  /// - Parameter rate: the rate of the device, in hertz; 0 before it is known.
  mutating func show(_ tracks: [AudioPlayer.Track], atHertz rate: Int, _ send: (VoiceCommand) -> Void) {
    guard !tracks.isEmpty || !wanted.isEmpty else { return }
    wanted = tracks
    shown = []
    fault = nil
    for track in tracks where !shown.contains(where: { $0.name == track.name }) {
      guard names.contains(track.name) || makeRoom(for: track.name, among: tracks) else {
        fault = Self.tooMany("\(tracks.count) tracks", most: "\(Tracks.capacity)")
        continue
      }
      shown.append(track)
    }
    func sampleFrames(_ span: Duration) -> Int32 {
      Int32(clamping: Int(Double(max(0, span.wholeNanoseconds)) * Double(rate) / 1_000_000_000))
    }
    for (place, name) in names.enumerated() {
      var command = VoiceCommand(.setTrack, slot: Int32(place + 1))
      let track = shown.first { $0.name == name }
      command.gain = Float(min(1, max(0, track?.gain ?? 1)))
      command.ramp = sampleFrames(track?.ramp ?? .milliseconds(5))
      let old = gains[place + 1]
      if command.gain != old?.gain ?? 1 { send(command) }
      gains[place + 1] = command
    }
    var pairs: [VoiceCommand] = []
    for track in shown {
      for duck in track.ducks {
        guard let source = number(of: track.name), let target = number(of: duck.track) else { continue }
        var command = VoiceCommand(.setDuck, slot: Int32(pairs.count))
        (command.source, command.track) = (Int32(source), Int32(target))
        command.gain = Float(min(1, max(0, duck.gain)))
        (command.ramp, command.hold, command.release) = (
          sampleFrames(duck.attack), sampleFrames(duck.hold), sampleFrames(duck.release)
        )
        pairs.append(command)
      }
    }
    if pairs.count > Tracks.mostDucks { fault = Self.tooMany("\(pairs.count) ducks", most: "\(Tracks.mostDucks)") }
    for number in 0..<Tracks.mostDucks {
      let command = number < pairs.count ? pairs[number] : VoiceCommand(.setDuck, slot: Int32(number))
      guard !command.sets(like: ducks[number] ?? VoiceCommand(.setDuck, slot: Int32(number))) else { continue }
      send(command)
      ducks[number] = command
    }
  }

  /// Gives a number to a name: a new one, or that of a track that the model does not have any more.
  private mutating func makeRoom(for name: String, among tracks: [AudioPlayer.Track]) -> Bool {
    if names.count < Tracks.capacity {
      names.append(name)
      return true
    }
    guard let place = names.firstIndex(where: { old in !tracks.contains { $0.name == old } }) else { return false }
    names[place] = name
    return true
  }

  private static func tooMany(_ count: String, most: String) -> DriverError {
    DriverError(
      .misconfigured, cannot: "play \(count)", reason: "a player has \(most) at most",
      remedy: "Use fewer; the first ones are played.")
  }
}

extension VoiceCommand {
  /// Whether it sets a duck to the same values.
  fileprivate func sets(like other: VoiceCommand) -> Bool {
    source == other.source && track == other.track && gain == other.gain && ramp == other.ramp && hold == other.hold
      && release == other.release
  }
}
