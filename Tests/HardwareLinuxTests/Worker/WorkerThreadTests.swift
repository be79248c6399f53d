import Glibc
import HardwareLinux
import HardwareSimulation
import Synchronization
import TestSupport
import Testing

@testable import CycleCore
@testable import HardwareDrivers

/// The same worker with a thread, in real time. Nobody sleeps: each side waits for the other's signal.
@Suite("Slow work on a thread", .serialized)
struct WorkerThreadTests {
  /// Runs a driver whose work does as the closure says, until the log has so many lines.
  private func run(
    _ driver: ThreadDriver, lines: Int, _ body: (ThreadDriver) throws -> Void = { _ in }
  ) throws -> [String] {
    let cycle = Cycle(seed: [String]()) {
      Lens(
        driver, on: { frame, event in frame.append("\(event)") },
        trouble: { frame, trouble in frame.append("\(trouble)") })
    }
    try cycle.start(on: LinuxLoop())
    try body(driver)
    // Each step waits for the thread; a thread that never reports is the test's time limit.
    while cycle.frame.count < lines { try cycle.step(until: nil) }
    cycle.stop()
    return cycle.frame
  }

  @Test("a thread has the name of its device in the system")
  func name() throws {
    let work = BlockingWork { context in
      context.report(bytes(of: "/proc/thread-self/comm") == Array("part\n".utf8) ? 1 : 0)
      return .forCommand
    }
    #expect(try run(ThreadDriver(work), lines: 1) == ["report(1)"])
  }

  @Test("commands go down and reports come up, in order, while a step blocks")
  func commands() throws {
    let begun = ThreadSignal()
    let goOn = ThreadSignal()
    let work = BlockingWork { context in
      while let command = context.receive() {
        begun.raise()
        goOn.wait()
        context.report(command)
      }
      return .forCommand
    }
    let log = try run(ThreadDriver(work), lines: 3) { driver in
      try driver.worker.send(1)
      begun.wait()
      // The thread is in the middle of a call: nothing here waits for it.
      try driver.worker.send(2)
      try driver.worker.send(3)
      for _ in 1...3 { goOn.raise() }
    }
    #expect(log == ["report(1)", "report(2)", "report(3)"])
    #expect(work.isClosed)
  }

  @Test("a deadline wakes the thread, and so does a descriptor that it polls")
  func waits() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    defer {
      close(reading)
      close(writing)
    }
    let step = Atomic<Int>(0)
    let work = BlockingWork { context in
      let number = step.add(1, ordering: .relaxed).newValue
      context.report(number)
      switch number {
      case 1: return .until(context.now + .milliseconds(1))
      case 2:
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)
        return WorkWait(until: nil, pollsDescriptors: true)
      default: return .forCommand
      }
    }
    work.descriptors = [PolledDescriptor(descriptor: reading, events: Int16(POLLIN))]
    #expect(try run(ThreadDriver(work), lines: 3) == ["report(1)", "report(2)", "report(3)"])
  }

  @Test("a box that overflows drops reports and says so, and the state comes all the same")
  func fullBox() throws {
    let flooded = ThreadSignal()
    let work = BlockingWork { context in
      guard context.receive() != nil else { return .forCommand }
      for number in 1...100 { context.report(number) }
      flooded.raise()
      return .forCommand
    }
    work.stateAfterStep = 7
    let log = try run(ThreadDriver(work), lines: 10) { driver in
      try driver.worker.send(0)
      flooded.wait()
    }
    #expect(
      Set(log) == Set((1...8).map { "report(\($0))" } + ["state(7)", "eventsLost(92)"]))
  }

  @Test("a work that hangs at the end is given up, and what it uses lives until it answers")
  func hangs() throws {
    final class Memory: Sendable {
      let freed: ThreadSignal
      init(_ freed: ThreadSignal) { self.freed = freed }
      deinit { freed.raise() }
    }
    let (hanging, answer, workFreed, memoryFreed) = (ThreadSignal(), ThreadSignal(), ThreadSignal(), ThreadSignal())
    do {
      let work = BlockingWork { context in
        guard context.receive() != nil else { return .forCommand }
        hanging.raise()
        answer.wait()
        return .forCommand
      }
      work.freed = workFreed
      let driver = ThreadDriver(work)
      let cycle = Cycle(seed: 0) { Lens(driver, on: { _, _ in }) }
      try cycle.start(on: LinuxLoop())
      try driver.worker.send(0)
      hanging.wait()
      #expect(driver.worker.stop(keeping: [Memory(memoryFreed)]) == false)
      cycle.stop()
    }
    #expect(!workFreed.isRaised)
    #expect(!memoryFreed.isRaised)
    // The hardware answers after all: the thread leaves it as it is, and ends.
    answer.raise()
    memoryFreed.wait()
    workFreed.wait()
  }

  @Test("the first outcome can be waited for")
  func firstStep() throws {
    let goOn = ThreadSignal()
    let work = BlockingWork { _ in
      goOn.wait()
      return .forCommand
    }
    work.stateAfterStep = 3
    let driver = ThreadDriver(work)
    let cycle = Cycle(seed: 0) { Lens(driver, on: { _, _ in }) }
    try cycle.start(on: LinuxLoop())
    #expect(!driver.worker.waitForFirstStep(atMost: .milliseconds(1)))
    goOn.raise()
    #expect(driver.worker.waitForFirstStep())
    #expect(driver.worker.state == 3)
    cycle.stop()
  }

  @Test("a state can be waited for, for as long as the caller wants")
  func state() throws {
    let goOn = ThreadSignal()
    let work = BlockingWork { _ in
      goOn.wait()
      return .forCommand
    }
    work.stateAfterStep = 3
    let driver = ThreadDriver(work)
    let cycle = Cycle(seed: 0) { Lens(driver, on: { _, _ in }) }
    try cycle.start(on: LinuxLoop())
    #expect(!driver.worker.wait(atMost: .milliseconds(1)) { $0 == 3 })
    goOn.raise()
    #expect(driver.worker.wait(atMost: .seconds(600)) { $0 == 3 })
    #expect(!driver.worker.wait(atMost: .milliseconds(1)) { $0 == 4 })
    cycle.stop()
  }

  @Test("a cell with the newest value gives the newest, never an older one than before")
  func latest() {
    let cell = TripleBuffer(0)
    #expect(cell.load() == 0)
    cell.store(1)
    cell.store(2)
    #expect(cell.load() == 2)
    #expect(cell.load() == 2)
    var last = 2
    var isOrdered = true
    onThread {
      for number in 3...100_000 { cell.store(number) }
    } while: {
      while last < 100_000 {
        let value = cell.load()
        isOrdered = isOrdered && value >= last
        last = value
      }
    }
    #expect(isOrdered)
  }

  @Test("who posts into a box is known by the thread")
  func oneThread() {
    let poster = OneThread()
    #expect(poster.isThis)
    #expect(poster.isThis)
    let isOther = Atomic<Bool>(false)
    onThread {
      isOther.store(!poster.isThis, ordering: .relaxed)
    } while: {
    }
    let wasOther = isOther.load(ordering: .relaxed)
    #expect(wasOther)
  }

  #if compiler(>=6.2)
    @Test("a second thread that posts into a box ends a debug build, and says why")
    func secondPoster() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        final class Silent: Doorbell {
          func ring() {}
        }
        let box = Postbox<Int>(capacity: 4, flag: PostFlag(doorbell: Silent()))
        box.post(1)
        onThread {
          box.post(2)
        } while: {
        }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("one thread posts into a postbox"))
    }
  #endif
}
