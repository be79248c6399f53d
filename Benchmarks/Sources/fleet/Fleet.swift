import CycleCore
import Foundation
import Glibc
import HardwareDrivers
import HardwareLinux

/// Panels in as many processes as the limit of descriptors asks for.
final class Fleet {
  /// What has become of all messages, as of the last command.
  private(set) var sum = Sum()
  private let shares: [(process: Process, commands: Pipe, answers: Pipe, count: Int)]

  /// A connection takes three descriptors in libmosquitto, and the worker that has it two.
  private static let descriptorsEach = 5

  init(_ count: Int, at address: BrokerConnectionSettings) throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let most = max(1, (Int(clamping: limit.rlim_cur) - 100) / Self.descriptorsEach)
    let processCount = (count + most - 1) / most
    shares = try (0..<processCount).map { number in
      let first = count * number / processCount
      let share = count * (number + 1) / processCount - first
      let (process, commands, answers) = (Process(), Pipe(), Pipe())
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      process.arguments = ["--share", "\(first)", "\(share)", address.text]
      (process.standardInput, process.standardOutput) = (commands, answers)
      try process.run()
      return (process, commands, answers, share)
    }
  }

  var processCount: Int { shares.count }

  /// Has all processes do something, and waits until they have.
  ///
  /// - Parameters:
  ///   - command: a command of ``Share``.
  ///   - count: how many panels do it, which are spread over the processes; nil for a command that asks for no number.
  ///   - rest: what follows the number.
  /// - Returns: how long it took.
  @discardableResult
  func perform(_ command: String, panels count: Int? = nil, _ rest: String = "") throws -> Duration {
    let begun = ContinuousClock.now
    let all = shares.reduce(0) { $0 + $1.count }
    var before = 0
    for share in shares {
      let number = count.map { count in
        "\(count * (before + share.count) / all - count * before / all)"
      }
      before += share.count
      let line = [command, number, rest].compactMap { $0 }.joined(separator: " ")
      share.commands.fileHandleForWriting.write(Data("\(line)\n".utf8))
    }
    sum = Sum()
    for share in shares {
      let answer = share.answers.fileHandleForReading.availableData
      guard let part = try? JSONDecoder().decode(Sum.self, from: answer) else {
        print("fleet: a process with \(share.count) panels has ended")
        exit(1)
      }
      sum.add(part)
    }
    return ContinuousClock.now - begun
  }
}
