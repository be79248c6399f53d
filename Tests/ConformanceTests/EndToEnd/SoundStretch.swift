/// A sound between two silences.
struct SoundStretch: Equatable {
  /// In sample frames from the beginning.
  let start: Int
  /// From the first sample that isn't silence to the last one.
  let samples: [Int16]

  var end: Int { start + samples.count }

  /// The stretches of one channel, at 48 000 samples a second; less than 50 ms of silence don't part them.
  static func all(in channel: [Int16]) -> [SoundStretch] {
    var stretches: [SoundStretch] = []
    var first: Int?
    var last = 0
    func finish() {
      if let first { stretches.append(SoundStretch(start: first, samples: Array(channel[first...last]))) }
    }
    for (index, sample) in channel.enumerated() where sample != 0 {
      if first != nil, index - last > 2400 {
        finish()
        first = nil
      }
      if first == nil { first = index }
      last = index
    }
    finish()
    return stretches
  }
}
