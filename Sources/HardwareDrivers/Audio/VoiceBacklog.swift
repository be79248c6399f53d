/// The commands of a player that did not fit into the queue of its worker, as while the sound device hangs.
///
/// It is bounded, whatever the application does: a command that says how something is now takes the place of the one before, and a start is for
/// a voice whose earlier commands mean nothing any more. So one volume, one return of the device, and for each voice a start, a gain, a loop and a
/// stop can wait.
struct VoiceBacklog {
  private(set) var commands: [VoiceCommand] = []

  mutating func append(_ command: VoiceCommand) {
    switch command.kind {
    case .setMaster, .retry: commands.removeAll { $0.kind == command.kind }
    case .start: commands.removeAll { $0.isOfVoice && $0.slot == command.slot }
    case .setGain, .setLooping, .stop:
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

  /// All voices are gone with their device.
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
    case .start, .setGain, .setLooping, .stop: true
    case .setMaster, .clear, .retry: false
    }
  }

  fileprivate func isForVoice(of other: VoiceCommand) -> Bool {
    isOfVoice && slot == other.slot && generation == other.generation
  }

  /// Has a start that waits begin with what a later command sets. False for a stop.
  fileprivate mutating func take(_ command: VoiceCommand) -> Bool {
    switch command.kind {
    case .setGain: gain = command.gain
    case .setLooping: isLooping = command.isLooping
    default: return false
    }
    return true
  }
}
