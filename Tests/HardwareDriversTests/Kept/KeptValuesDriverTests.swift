import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Kept values")
struct KeptValuesDriverTests {
  private typealias Trial = DriverBench<KeptValuesDriver<SimulatedStateFolder>>

  private func trial(
    _ folder: SimulatedStateFolder, _ bench: Bench, showing model: [KeptValuesDriver<SimulatedStateFolder>.Value]
  ) -> Trial {
    DriverBench(KeptValuesDriver(in: folder, from: KeptStart(reading: folder)), showing: model, on: bench)
  }

  private func text(_ folder: SimulatedStateFolder, _ file: KeptFile = .values) throws -> String? {
    try folder.read(file).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("a number is saved when it has rested for a second, and the set before stays as values.old")
  func saved() throws {
    let (bench, folder) = (Bench(), SimulatedStateFolder())
    folder.set(KeptText.bytes(of: ["level": 3, "gone": 5]), as: .values)
    let trial = trial(folder, bench, showing: [.init("level", 3)])
    try trial.start()
    try trial.show([.init("level", 4)])
    try bench.advance(by: .milliseconds(999))
    #expect(folder.stepCount == 0)
    try bench.advance(by: .milliseconds(1))
    #expect(trial.told { "\($0)" } == ["saved(byteCount: 45)@1000"])
    #expect(try text(folder)?.hasPrefix("panel-values 1\ngone 5\nlevel 4\ncrc32 ") == true)
    #expect(try text(folder, .old)?.hasPrefix("panel-values 1\ngone 5\nlevel 3\ncrc32 ") == true)
    #expect(try text(folder, .new) == nil)
    trial.stop()
    #expect(folder.stepCount == 5)
    #expect(trial.cycle.nextAlarm == nil)
  }

  @Test("a number that changed just before the stop is saved by it")
  func savedAtStop() throws {
    let (bench, folder) = (Bench(), SimulatedStateFolder())
    let trial = trial(folder, bench, showing: [.init("level", 3)])
    try trial.start()
    try trial.show([.init("level", 4)])
    trial.stop()
    #expect(KeptStart(reading: folder).numbers == ["level": 4])
  }

  @Test("a day in which nothing changes writes no byte and wakes nobody")
  func idle() throws {
    let (bench, folder) = (Bench(), SimulatedStateFolder())
    let trial = trial(folder, bench, showing: [.init("level", 3)])
    try trial.start()
    #expect(trial.cycle.nextAlarm == nil)
    try bench.advance(by: .seconds(86_400))
    trial.stop()
    #expect(folder.stepCount == 0)
    #expect(folder.writtenByteCount == 0)
  }

  @Test("a number that always changes is saved once in its time", arguments: [1, 10, 60])
  func busy(_ seconds: Int) throws {
    let (bench, folder) = (Bench(), SimulatedStateFolder())
    let within = Duration.seconds(seconds)
    let trial = trial(folder, bench, showing: [.init("level", 0, within: within)])
    try trial.start()
    for number in 1...6000 {
      try trial.show([.init("level", number, within: within)])
      try bench.advance(by: .milliseconds(100))
    }
    let moments = folder.writeMoments
    #expect((600 / seconds - 1...600 / seconds + 1).contains(moments.count))
    #expect(zip(moments, moments.dropFirst()).allSatisfy { $1 - $0 >= within })
    trial.stop()
  }

  @Test("a number that may not be unsaved is on the disk when it has been rendered, with all others")
  func urgent() throws {
    let (bench, folder) = (Bench(), SimulatedStateFolder())
    let trial = trial(folder, bench, showing: [.init("tries", 0, within: .zero), .init("level", 3)])
    try trial.start()
    try trial.show([.init("tries", 0, within: .zero), .init("level", 4)])
    #expect(folder.stepCount == 0)
    try trial.show([.init("tries", 1, within: .zero), .init("level", 5)])
    #expect(KeptStart(reading: folder).numbers == ["tries": 1, "level": 5])
    trial.stop()
  }

  @Test("a number that may not be unsaved and always changes is saved 20 times a minute")
  func urgentAndBusy() throws {
    let (bench, folder) = (Bench(), SimulatedStateFolder())
    let trial = trial(folder, bench, showing: [.init("tries", 0, within: .zero)])
    try trial.start()
    for number in 1...6000 {
      try trial.show([.init("tries", number, within: .zero)])
      try bench.advance(by: .milliseconds(100))
    }
    let moments = folder.writeMoments
    #expect((195...201).contains(moments.count))
    #expect(zip(moments, moments.dropFirst(20)).allSatisfy { $1 - $0 >= .seconds(60) })
    trial.stop()
    #expect(KeptStart(reading: folder).numbers == ["tries": 6000])
  }

  @Test("a disk that hangs holds up no render of such a number for longer than the first one")
  func urgentAndHanging() throws {
    let (bench, folder) = (Bench(), SimulatedStateFolder())
    let trial = trial(folder, bench, showing: [.init("tries", 0, within: .zero)])
    try trial.start()
    folder.hang = .seconds(Int64.max)
    for number in 1...100 {
      try trial.show([.init("tries", number, within: .zero)])
      try bench.advance(by: .seconds(1))
    }
    #expect(folder.writeMoments.count == 1)
    trial.stop()
  }

  @Test("a number that comes back to what is saved writes nothing")
  func back() throws {
    let (bench, folder) = (Bench(), SimulatedStateFolder())
    folder.set(KeptText.bytes(of: ["level": 3]), as: .values)
    let trial = trial(folder, bench, showing: [.init("level", 3)])
    try trial.start()
    try trial.show([.init("level", 4)])
    try trial.show([.init("level", 3)])
    try bench.advance(by: .seconds(60))
    trial.stop()
    #expect(folder.stepCount == 0)
  }

  @Test("a disk that is full or read-only is told once and tried after 1, 2, 4 … 60 s, with the newest numbers")
  func refused() throws {
    for refusal in [SimulatedStateFolder.Refusal.full, .readOnly] {
      let (bench, folder) = (Bench(), SimulatedStateFolder())
      folder.refusal = refusal
      let trial = trial(folder, bench, showing: [.init("level", 3)])
      try trial.start()
      // Tried after 1, 2, 4, 8, 16 and 32 s; the next try is that after 64 s.
      for number in 4...66 {
        try trial.show([.init("level", number)])
        try bench.advance(by: .seconds(1))
      }
      #expect((6...8).contains(folder.stepCount))
      folder.refusal = nil
      try bench.advance(by: .seconds(61))
      // The set that waited is saved, and then the newest one, in a save of its own.
      #expect(
        trial.told { "\($0)" }.map { $0.prefix { $0 != "@" && $0 != "(" } } == ["failed", "saved", "restored", "saved"])
      #expect(trial.entries[3].moment - trial.entries[1].moment >= .seconds(10))
      #expect(KeptStart(reading: folder).numbers == ["level": 66])
      trial.stop()
    }
  }

  @Test("while a disk hangs nothing else is asked of it, and the stop is not held up for long")
  func hangs() throws {
    let (bench, folder) = (Bench(), SimulatedStateFolder())
    let trial = trial(folder, bench, showing: [.init("level", 3)])
    try trial.start()
    folder.hang = .seconds(Int64.max)
    for number in 4...500 {
      try trial.show([.init("level", number)])
      try bench.advance(by: .seconds(1))
    }
    #expect(folder.writeMoments.count == 1)
    trial.stop()
    #expect(trial.cycle.nextAlarm == nil)
  }

  @Test("while a slow disk saves, changes wait, and only the newest set is saved next")
  func slow() throws {
    let (bench, folder) = (Bench(), SimulatedStateFolder())
    folder.stepDuration = .seconds(5)
    let trial = trial(folder, bench, showing: [.init("level", 3)])
    try trial.start()
    for number in 4...33 {
      try trial.show([.init("level", number)])
      try bench.advance(by: .seconds(1))
    }
    try bench.advance(by: .seconds(60))
    #expect(KeptStart(reading: folder).numbers == ["level": 33])
    #expect(folder.writeMoments.count <= 3)
    trial.stop()
  }

  @Test("wherever the power is cut, the old or the new set is there, and values is whole")
  func cuts() throws {
    for cut in 0..<16 {
      for seed in 0..<60 {
        let place: Comment = "cut \(cut), seed \(seed)"
        var random = SeededGenerator(seed: UInt64(cut * 1000 + seed))
        let folder = SimulatedStateFolder()
        var (number, safe) = (0, [String: Int]())
        for _ in 0..<3 {
          let trial = trial(folder, Bench(), showing: model(number))
          trial.onEntry = { if case .event(.saved) = $0 { safe = ["a": number, "b": -number] } }
          folder.stepsUntilCut = cut
          try trial.start()
          var count = 0
          while !folder.isCut, count < 200 {
            number += 1
            count += 1
            try trial.show(model(number))
            try trial.bench.advance(by: .milliseconds(Int.random(in: 0...3000, using: &random)))
          }
          #expect(folder.isCut, place)
          let new = ["a": number, "b": -number]
          trial.stop()
          folder.restore(using: &random)
          let start = KeptStart(reading: folder)
          #expect(start.numbers == safe || start.numbers == new, place)
          #expect(start.warnings == [], place)
          safe = start.numbers
        }
      }
    }
  }

  private func model(_ number: Int) -> [KeptValuesDriver<SimulatedStateFolder>.Value] {
    [.init("a", number), .init("b", -number)]
  }

  @Test("a broken file never takes the place of the whole one, wherever the power is cut")
  func brokenFirst() throws {
    for cut in 0..<5 {
      for seed in 0..<60 {
        var random = SeededGenerator(seed: UInt64(seed))
        let (bench, folder) = (Bench(), SimulatedStateFolder())
        folder.set(Array("panel-val".utf8), as: .values)
        folder.set(KeptText.bytes(of: ["a": 1, "b": -1]), as: .old)
        folder.stepsUntilCut = cut
        let trial = trial(folder, bench, showing: model(1))
        try trial.start()
        #expect(trial.troubles.count == 1)
        try trial.show(model(2))
        try bench.advance(by: .seconds(1))
        trial.stop()
        folder.restore(using: &random)
        let numbers = KeptStart(reading: folder).numbers
        #expect(numbers == ["a": 1, "b": -1] || numbers == ["a": 2, "b": -2], "cut \(cut), seed \(seed)")
      }
    }
  }

  @Test("a file that is no good is told, and the one before is used, or the initial values")
  func fallback() {
    let folder = SimulatedStateFolder()
    #expect(KeptStart(reading: folder).warnings == [])
    folder.set(Array("panel-values 1\nlevel".utf8), as: .values)
    folder.set(KeptText.bytes(of: ["level": 70]), as: .old)
    var start = KeptStart(reading: folder)
    #expect(start.number(of: "level", in: 0...10, initial: 7) == 10)
    #expect(start.number(of: "rings", in: 0...10, initial: 7) == 7)
    #expect(
      start.warnings.map { "\($0)" } == [
        "cannot use the kept values of /state/values: it is cut. values.old is used: the last save was cut.",
        "cannot start level with 70, which was kept: its range is 0 to 10. It starts with 10.",
      ])
    folder.set(Array("other".utf8), as: .old)
    #expect(
      KeptStart(reading: folder).warnings.map { "\($0)" } == [
        "cannot use the kept values of /state/values: it is cut. The panel uses the initial values.",
        "cannot use the kept values of /state/values.old: its first line is not \"panel-values 1\". "
          + "The panel uses the initial values.",
      ])
  }
}
