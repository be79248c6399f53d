/// The tracks of a mixer: their gains, and how the sounds of one lower those of another.
///
/// Track 0 is that of sounds without a track. It has no gain, and nothing lowers it.
final class Tracks {
  /// The maximum number of tracks.
  static let capacity = 16
  /// The maximum number of pairs of tracks of which one lowers the other.
  static let mostDucks = 32

  private struct Track: BitwiseCopyable {
    var gain = LinearRamp(1)
    /// The number of active voices.
    var voices = 0
    /// The sample frame of the slice from which on no voice of the track sounds.
    var silentFrom = 0
  }

  /// How one track lowers another.
  private struct Duck: BitwiseCopyable {
    var source = 0
    var target = 0
    var gain: Float = 1
    /// In sample frames.
    var (attack, hold, release) = (0, 0, 0)
    var level = LinearRamp(1)
    var phase = Phase.up
    var holdRest = 0

    enum Phase: BitwiseCopyable {
      case up
      case down
      /// The source is silent, and the target is still low.
      case holding
    }

    var isUsed: Bool { source > 0 }

    /// Begins what is due, and returns the number of sample frames, at most `count`, over which the level is a straight
    /// line.
    ///
    /// - Parameter soundingRest: the number of sample frames for which the source still sounds; 0 if it doesn't.
    mutating func run(upTo count: Int, soundingRest: Int) -> Int {
      var run = count
      if soundingRest > 0 {
        if phase != .down {
          phase = .down
          level.move(to: gain, over: attack)
        }
        run = min(run, soundingRest)
      } else {
        if phase == .down { (phase, holdRest) = (.holding, hold) }
        if phase == .holding {
          if holdRest == 0 {
            phase = .up
            level.move(to: 1, over: release)
          } else {
            run = min(run, holdRest)
          }
        }
      }
      return level.rest > 0 ? min(run, level.rest) : run
    }

    mutating func advance(by run: Int) {
      level.advance(by: run)
      if phase == .holding { holdRest &-= run }
    }
  }

  private let tracks: UnsafeMutablePointer<Track>
  private let ducks: UnsafeMutablePointer<Duck>
  /// The sum of the voices of each track, on one or two channels.
  private let sums: UnsafeMutablePointer<Float>
  private let sumSize: Int
  /// The number of ducks that are used.
  private var duckCount = 0

  /// - Parameter sliceSize: the maximum number of sample frames of a slice.
  init(sliceSize: Int) {
    tracks = .allocate(capacity: Self.capacity + 1)
    tracks.initialize(repeating: Track(), count: Self.capacity + 1)
    ducks = .allocate(capacity: Self.mostDucks)
    ducks.initialize(repeating: Duck(), count: Self.mostDucks)
    sumSize = 2 * sliceSize
    sums = .allocate(capacity: Self.capacity * sumSize)
    sums.initialize(repeating: 0, count: Self.capacity * sumSize)
  }

  deinit {
    tracks.deallocate()
    ducks.deallocate()
    sums.deallocate()
  }

  /// Whether a track has active voices.
  func isUsed(_ track: Int) -> Bool { tracks[track].voices > 0 }

  /// The room for the sum of the voices of a track, from 1 on.
  func sum(of track: Int) -> UnsafeMutablePointer<Float> { sums + (track &- 1) &* sumSize }

  // MARK: - Changes

  func setGain(_ gain: Float, of track: Int, over length: Int) { tracks[track].gain.move(to: gain, over: length) }

  /// Sets a duck. A source of 0 removes it.
  func setDuck(_ number: Int, _ command: VoiceCommand) {
    let old = ducks[number]
    var duck = Duck()
    (duck.source, duck.target, duck.gain) = (Int(command.source), Int(command.track), command.gain)
    (duck.attack, duck.hold, duck.release) = (Int(command.ramp), Int(command.hold), Int(command.release))
    // The same pair continues where it is.
    if old.source == duck.source, old.target == duck.target {
      (duck.level, duck.phase, duck.holdRest) = (old.level, old.phase, min(old.holdRest, duck.hold))
      if duck.phase != .up, duck.gain != old.gain { duck.level.move(to: duck.gain, over: duck.attack) }
    }
    ducks[number] = duck
    duckCount = (0..<Self.mostDucks).count { ducks[$0].isUsed }
  }

  func begin(_ track: Int) { tracks[track].voices &+= 1 }

  func end(_ track: Int) { tracks[track].voices &-= 1 }

  /// All voices are gone.
  func clear() {
    for track in 0...Self.capacity { tracks[track].voices = 0 }
  }

  /// Nothing has sounded for a long time.
  func reset() {
    for number in 0..<Self.mostDucks {
      (ducks[number].level, ducks[number].phase, ducks[number].holdRest) = (LinearRamp(1), .up, 0)
    }
  }

  // MARK: - Slices

  /// Notes the sample frame of the slice from which on no voice of a track sounds: `count` if one sounds at its end.
  func note(_ track: Int, silentFrom sampleFrame: Int) { tracks[track].silentFrom = sampleFrame }

  /// Adds the sums of the tracks to the sum of the mixer, each with its gain, lowered by the others.
  ///
  /// - Parameters:
  ///   - count: the number of sample frames of the slice.
  ///   - width: the number of channels: 1 or 2.
  ///   - counts: whether a track has a sum in this slice.
  func finish(_ output: UnsafeMutablePointer<Float>, _ count: Int, width: Int, where counts: (_ track: Int) -> Bool) {
    for track in 1...Self.capacity {
      let isSounding = counts(track)
      guard isSounding || duckCount > 0 || tracks[track].gain.rest > 0 else { continue }
      add(track, isSounding: isSounding, to: output, count, width)
    }
  }

  private func add(
    _ track: Int, isSounding: Bool, to output: UnsafeMutablePointer<Float>, _ count: Int, _ width: Int
  ) {
    let sum = sum(of: track)
    var done = 0
    while done < count {
      var run = count &- done
      var bends = 0
      if tracks[track].gain.rest > 0 {
        run = min(run, tracks[track].gain.rest)
        bends &+= 1
      }
      for number in 0..<Self.mostDucks where ducks[number].target == track && ducks[number].isUsed {
        let rest = tracks[ducks[number].source].silentFrom &- done
        run = ducks[number].run(upTo: run, soundingRest: rest)
        if ducks[number].level.rest > 0 { bends &+= 1 }
      }
      if bends > 1 { run = min(run, Fade.pieceLength) }
      let (start, end) = level(of: track, after: run)
      if isSounding {
        let (source, target) = (sum + done &* width, output + done &* width)
        let slope = (end - start) / Float(run)
        if slope == 0 {
          for index in 0..<run &* width { target[index] += source[index] * start }
        } else {
          for index in 0..<run &* width { target[index] += source[index] * (start + slope * Float(index / width)) }
        }
      }
      tracks[track].gain.advance(by: min(run, tracks[track].gain.rest))
      for number in 0..<Self.mostDucks where ducks[number].target == track && ducks[number].isUsed {
        ducks[number].advance(by: run)
      }
      done &+= run
    }
  }

  /// The factor of a track now, and after a run.
  private func level(of track: Int, after run: Int) -> (Float, Float) {
    var (start, end) = (tracks[track].gain.value, tracks[track].gain.value(after: run))
    for number in 0..<Self.mostDucks where ducks[number].target == track && ducks[number].isUsed {
      start *= ducks[number].level.value
      end *= ducks[number].level.value(after: run)
    }
    return (start, end)
  }
}
