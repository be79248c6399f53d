import Glibc
import Synchronization
import TestSupport
import Testing

@testable import CycleCore
@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

/// A pipe whose reading end has something to read.
private func filledPipe() -> (reading: Int32, writing: Int32) {
  var ends: [Int32] = [0, 0]
  precondition(pipe(&ends) == 0, "a pipe can be made")
  var byte: UInt8 = 1
  write(ends[1], &byte, 1)
  return (ends[0], ends[1])
}

private func closeAll(_ pipes: [(reading: Int32, writing: Int32)]) {
  for pipe in pipes {
    close(pipe.reading)
    close(pipe.writing)
  }
}

/// The lenses told by one look at the descriptors.
private func look(_ loop: LinuxLoop) throws -> [Int] {
  var ready = ReadyList()
  try loop.wait(until: .zero, ready: &ready)
  return ready.map(\.lens)
}

private final class Counter: Sendable {
  private let value = Atomic<Int>(0)
  var count: Int { value.load(ordering: .acquiring) }
  func add() { value.add(1, ordering: .acquiringAndReleasing) }
}

@Suite struct LinuxLoopTests {
  @Test("descriptors that are ready are told by the number of their lens, whatever order they became ready in")
  func order() throws {
    let (lenses, leftOpen) = try withOwnDescriptors {
      let loop = try LinuxLoop()
      let pipes = (0..<4).map { _ in filledPipe() }
      defer { closeAll(pipes) }
      for (pipe, lens) in zip(pipes, [3, 0, 2, 0]) { try loop.watch(pipe.reading, for: lens) }
      return try look(loop) + look(loop)
    }
    #expect(lenses == [0, 0, 2, 3, 0, 0, 2, 3])
    #expect(leftOpen == 0)
  }

  @Test("a descriptor is told until it is unwatched, and belongs to the lens that watched it last")
  func unwatching() throws {
    let (lenses, leftOpen) = try withOwnDescriptors {
      let loop = try LinuxLoop()
      let pipe = filledPipe()
      defer { closeAll([pipe]) }
      try loop.watch(pipe.reading, for: 1)
      try loop.watch(pipe.reading, for: 2)
      var lenses = [try look(loop)]
      loop.unwatch(pipe.reading)
      loop.unwatch(pipe.reading)
      loop.unwatch(-1)
      lenses.append(try look(loop))
      return lenses
    }
    #expect(lenses == [[2], []])
    #expect(leftOpen == 0)
  }

  @Test("of a descriptor whose arrivals are watched, what was there before is told, and then each arrival once")
  func arrivals() throws {
    let (lenses, leftOpen) = try withOwnDescriptors {
      let loop = try LinuxLoop()
      let pipe = filledPipe()
      defer { closeAll([pipe]) }
      try loop.watchArrivals(pipe.reading, for: 3)
      var lenses = [try look(loop), try look(loop)]
      // The first byte is still unread.
      var byte: UInt8 = 2
      write(pipe.writing, &byte, 1)
      lenses += [try look(loop), try look(loop)]
      // Who watches it from now on is told of all that it holds.
      try loop.watch(pipe.reading, for: 4)
      return lenses + [try look(loop), try look(loop)]
    }
    #expect(lenses == [[3], [], [3], [], [4], [4]])
    #expect(leftOpen == 0)
  }

  @Test("a broken descriptor is ready")
  func broken() throws {
    let (lenses, leftOpen) = try withOwnDescriptors {
      let loop = try LinuxLoop()
      let pipe = filledPipe()
      try loop.watch(pipe.writing, for: 5)
      close(pipe.reading)
      defer { close(pipe.writing) }
      return try look(loop)
    }
    #expect(lenses == [5])
    #expect(leftOpen == 0)
  }

  @Test("what one wait can't tell is told by the next")
  func manyReady() throws {
    let (lenses, leftOpen) = try withOwnDescriptors {
      let loop = try LinuxLoop()
      let pipes = (0..<100).map { _ in filledPipe() }
      defer { closeAll(pipes) }
      for (lens, pipe) in pipes.enumerated() { try loop.watch(pipe.reading, for: lens) }
      return [try look(loop), try look(loop)]
    }
    #expect(lenses.map(\.count) == [64, 64])
    #expect(Set(lenses.joined()) == Set(0..<100))
    #expect(lenses.allSatisfy { $0 == $0.sorted() })
    #expect(leftOpen == 0)
  }

  @Test("a deadline is never told too early, also after one that was taken back")
  func deadlines() throws {
    let (early, leftOpen) = try withOwnDescriptors {
      let loop = try LinuxLoop()
      var ready = ReadyList()
      var early = 0
      let bell = loop.makeDoorbell()
      bell.ring()
      try loop.wait(until: loop.now + .microseconds(300), ready: &ready)
      for span in [700, 100, 400] {
        let deadline = loop.now + .microseconds(span)
        try loop.wait(until: deadline, ready: &ready)
        if loop.now < deadline { early += 1 }
      }
      return early + ready.count
    }
    #expect(early == 0)
    #expect(leftOpen == 0)
  }

  @Test("the doorbell ends a wait without a deadline, from another thread, and a ring before the wait counts")
  func doorbell() throws {
    let (rings, leftOpen) = try withOwnDescriptors {
      let loop = try LinuxLoop()
      var ready = ReadyList()
      let bell = loop.makeDoorbell()
      let rung = Counter()
      bell.ring()
      bell.ring()
      try loop.wait(until: nil, ready: &ready)
      onThread {
        rung.add()
        bell.ring()
      } while: {
        while rung.count == 0 { try? loop.wait(until: nil, ready: &ready) }
      }
      return rung.count
    }
    #expect(rings == 1)
    #expect(leftOpen == 0)
  }

  @Test("messages of another thread arrive complete and in order, with a wait for each gap")
  func postbox() throws {
    let (sum, leftOpen) = try withOwnDescriptors {
      let loop = try LinuxLoop()
      return drain(loop, messages: 20_000)
    }
    #expect(sum == 20_000)
    #expect(leftOpen == 0)
  }

  @Test("an action is called for what can be read, and not after it was removed")
  func actions() throws {
    let (called, leftOpen) = try withOwnDescriptors {
      let loop = try LinuxLoop()
      let pipes = [filledPipe(), filledPipe(), filledPipe()]
      defer { closeAll(pipes) }
      var called: [Int] = []
      try loop.onReadable(pipes[0].reading) {
        called.append(0)
        loop.removeReadable(pipes[1].reading)
      }
      try loop.onReadable(pipes[1].reading) { called.append(1) }
      try loop.onReadable(pipes[2].reading) { called.append(2) }
      try loop.onReadable(pipes[2].reading) { called.append(3) }
      _ = try look(loop)
      loop.removeReadable(pipes[0].reading)
      _ = try look(loop)
      loop.removeReadable(pipes[2].reading)
      _ = try look(loop)
      return called
    }
    #expect(called == [0, 3, 3])
    #expect(leftOpen == 0)
  }

  @Test("a file can always be read, so that input from a file works like that from a terminal")
  func file() throws {
    let (called, leftOpen) = try withOwnDescriptors {
      let loop = try LinuxLoop()
      let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
      let other = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
      defer { closeAll([(file, other)]) }
      var called = 0
      var ready = ReadyList()
      try loop.onReadable(file) { called += 1 }
      try loop.wait(until: nil, ready: &ready)
      try loop.wait(until: nil, ready: &ready)
      loop.removeReadable(file)
      try loop.wait(until: .zero, ready: &ready)
      do throws(DriverError) {
        try loop.watch(other, for: 0)
      } catch {
        return "\(called) \(error)".split(separator: "\(other)").joined(separator: "N")
      }
      return "watched"
    }
    #expect(
      called == "2 cannot watch descriptor N: not permitted (EPERM). "
        + "The descriptor must be open and one that can be waited for.")
    #expect(leftOpen == 0)
  }
}

/// How many messages of a thread arrive that posts them as fast as there is room; -1 where one is out of order.
private func drain(_ loop: LinuxLoop, messages: Int) -> Int {
  let flag = PostFlag(doorbell: loop.makeDoorbell())
  let box = Postbox<Int>(capacity: 256, flag: flag)
  var next = 0
  var outOfOrder = 0
  var ready = ReadyList()
  let taken = Counter()
  onThread {
    for message in 0..<messages {
      while message - taken.count >= 256 { sched_yield() }
      box.post(message)
    }
  } while: {
    while next < messages {
      _ = flag.lower()
      while let message = box.receive() {
        if message != next { outOfOrder += 1 }
        next += 1
        taken.add()
      }
      if next < messages { try? loop.wait(until: nil, ready: &ready) }
    }
  }
  return outOfOrder == 0 ? next : -1
}
