/// The commands of a player that did not fit into the queue of its worker, for example while the sound device hangs.
///
/// Its length is bounded, whatever the application does. A command that sets a value replaces the previous one. A start
/// replaces all earlier commands for its voice, which have no effect any more. So at most one volume and one retry
/// wait, for each track a gain, for each pair of tracks a duck, and for each voice a start, a gain, a pan, a loop and a
/// stop.
struct VoiceBacklog {
  private(set) var commands: [VoiceCommand] = []

  mutating func append(_ command: VoiceCommand) {
    switch command.kind {
    case .setMaster, .retry: commands.removeAll { $0.kind == command.kind }
    case .start: commands.removeAll { $0.isOfVoice && $0.slot == command.slot }
    case .setTrack, .setDuck: commands.removeAll { $0.kind == command.kind && $0.slot == command.slot }
    case .setGain, .setPan, .setLooping, .stop:
      if let start = commands.firstIndex(where: { $0.kind == .start && $0.isForVoice(of: command) }),
        commands[start].take(command)
      {
        return
      }
      commands.removeAll { $0.kind == command.kind && $0.isForVoice(of: command) }
    case .clear: forgetVoices()
    }
    commands.append(command)
  }

  /// Drops the commands of all voices, which are gone with their device.
  mutating func forgetVoices() { commands.removeAll { $0.isOfVoice } }

  /// Sends the first commands, as many as there is room for.
  mutating func send(room: Int, _ send: (VoiceCommand) -> Void) {
    let count = min(commands.count, room)
    for command in commands.prefix(count) { send(command) }
    commands.removeFirst(count)
  }
}

extension VoiceCommand {
  fileprivate var isOfVoice: Bool {
    switch kind {
    case .start, .setGain, .setPan, .setLooping, .stop: true
    case .setMaster, .setTrack, .setDuck, .clear, .retry: false
    }
  }

  fileprivate func isForVoice(of other: VoiceCommand) -> Bool {
    isOfVoice && slot == other.slot && generation == other.generation
  }

  /// Merges a later command into a waiting start. Returns false for a stop.
  fileprivate mutating func take(_ command: VoiceCommand) -> Bool {
    switch command.kind {
    case .setGain: gain = command.gain
    case .setPan: pan = command.pan
    case .setLooping: isLooping = command.isLooping
    default: return false
    }
    return true
  }
}
