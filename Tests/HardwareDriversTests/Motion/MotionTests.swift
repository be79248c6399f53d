import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers

@Suite("Motion")
struct MotionTests {
  private static func milliseconds(_ moment: Moment?) -> Double? {
    moment.map { (Double($0.nanoseconds) / 1_000).rounded() / 1_000 }
  }

  @Test("200 steps with an acceleration are each due at their moment")
  func steps() {
    var motion = Motion(at: 0, limits: .init(speed: 200, acceleration: 400))
    motion.aim(at: 200, from: .zero)
    let due = [1, 2, 50, 100, 150, 199, 200].map {
      Self.milliseconds(motion.moment(reaching: $0, from: .zero))
    }
    #expect(due == [70.711, 100, 500, 750, 1_000, 1_429.289, 1_500])
    #expect(motion.end == .zero + .milliseconds(1_500))
    #expect(motion.moment(reaching: 201, from: .zero) == nil)
    #expect(motion.moment(reaching: 50, from: .zero + .milliseconds(501)) == nil)
  }

  @Test("without an acceleration, the speed is constant")
  func constantSpeed() {
    var motion = Motion(at: 0, limits: .init(speed: 60))
    motion.aim(at: 90, from: .zero + .seconds(1))
    #expect(motion.position(at: .zero) == 0)
    #expect(motion.position(at: .zero + .milliseconds(1_750)) == 45)
    #expect(motion.end == .zero + .milliseconds(2_500))
    #expect(motion.position(at: .zero + .seconds(3)) == 90 && motion.speed(at: .zero + .seconds(3)) == 0)
    // A new target during the move.
    motion.aim(at: 0, from: .zero + .milliseconds(1_500))
    #expect(motion.position(at: .zero + .milliseconds(1_750)) == 15)
    #expect(motion.end == .zero + .seconds(2))
  }

  @Test("without a limit of the speed, the target is reached immediately")
  func jump() {
    var motion = Motion(at: 5, limits: .init(speed: .infinity))
    motion.aim(at: -3, from: .zero + .seconds(1))
    #expect(motion.position(at: .zero + .seconds(1)) == -3 && motion.end == .zero + .seconds(1))
  }

  @Test("a short way has no part at the greatest speed")
  func triangle() {
    var motion = Motion(at: 10, limits: .init(speed: 1_000, acceleration: 100))
    motion.aim(at: -15, from: .zero)
    #expect(motion.end == .zero + .seconds(1))
    #expect(motion.position(at: .zero + .milliseconds(500)) == -2.5)
    #expect(motion.speed(at: .zero + .milliseconds(500)) == -50)
  }

  @Test("a target behind the present move: it slows down, and turns")
  func turn() {
    var motion = Motion(at: 0, limits: .init(speed: 100, acceleration: 100))
    motion.aim(at: 1_000, from: .zero)
    motion.aim(at: 0, from: .zero + .seconds(2))
    // At 150 with the speed 100: it stops at 200 after a second.
    #expect(motion.position(at: .zero + .seconds(2)) == 150 && motion.speed(at: .zero + .seconds(2)) == 100)
    #expect(motion.position(at: .zero + .seconds(3)) == 200 && motion.speed(at: .zero + .seconds(3)) == 0)
    #expect(motion.moment(reaching: 160, from: .zero + .seconds(2))! < .zero + .seconds(3))
    #expect(motion.moment(reaching: 160, from: .zero + .seconds(3))! > .zero + .seconds(3))
    #expect(motion.end == .zero + .seconds(6))
    motion.halt(at: .zero + .milliseconds(4_500))
    #expect(motion.speed(at: motion.end) == 0 && motion.target == motion.position(at: motion.end))
  }

  @Test("position and speed have no jump, and keep the limits, over random targets", arguments: 0..<20 as Range<UInt64>)
  func limits(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let limits = Motion.Limits(
      speed: Double.random(in: 1...500, using: &random), acceleration: Double.random(in: 1...2_000, using: &random))
    var motion = Motion(at: 0, limits: limits)
    var now = Moment.zero
    for _ in 0..<50 {
      let (position, speed) = (motion.position(at: now), motion.speed(at: now))
      let target = Double(Int.random(in: -300...300, using: &random))
      motion.aim(at: target, from: now)
      #expect(abs(motion.position(at: now) - position) < 1e-6 && abs(motion.speed(at: now) - speed) < 1e-6)
      let span = Int.random(in: 1...400, using: &random)
      var last = (position: position, speed: speed)
      for millisecond in 1...span {
        let moment = now + .milliseconds(millisecond)
        let (position, speed) = (motion.position(at: moment), motion.speed(at: moment))
        #expect(abs(speed) <= limits.speed + 1e-6)
        #expect(abs(speed - last.speed) <= limits.acceleration! / 1_000 + 1e-5)
        #expect(abs(position - last.position) <= limits.speed / 1_000 + 1e-5)
        last = (position, speed)
      }
      #expect(motion.position(at: motion.end) == target)
      if let half = motion.moment(reaching: (position + target) / 2, from: now) {
        #expect(abs(motion.position(at: half) - (position + target) / 2) < 1e-4)
      }
      now = now + .milliseconds(span)
    }
  }
}
