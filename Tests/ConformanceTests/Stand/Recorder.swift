import Glibc
import TestSupport

/// The other side of the loopback: `arecord`, into a file.
final class Recorder {
  let channelCount: Int
  private let bits: Int
  private let path = "/tmp/heard-\(getpid()).raw"
  private var process = pid_t()
  private var samples: [Int16]?

  /// - Parameter bits: of a sample, 16 or 32. The other side of the loopback has these alone while this one is open.
  init(channelCount: Int, bits: Int = 16) throws {
    self.channelCount = channelCount
    self.bits = bits
    unlink(path)
    let words = [
      "arecord", "-q", "-D", "hw:Loopback,1,0", "-f", "S\(bits)_LE", "-r", "48000", "-c", "\(channelCount)", "-t",
      "raw",
      path,
    ]
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    // A loop blocks the signals that it waits for; the child has to hear its own.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let code = posix_spawnp(&process, "arecord", nil, &attributes, arguments, environ)
    guard code == 0 else { throw StandFailure("arecord can't be started: errno \(code)") }
    for _ in 0..<500 where try !isRunning() { usleep(10_000) }
    guard try isRunning() else { throw StandFailure("arecord doesn't record") }
  }

  deinit {
    if samples == nil { _ = try? stop() }
  }

  private func isRunning() throws -> Bool {
    try KernelFiles.read("/proc/asound/Loopback/pcm1c/sub0/status").hasPrefix("state:")
      && KernelFiles.text("/proc/asound/Loopback/pcm1c/sub0/status").contains("RUNNING")
  }

  func stop() throws -> [Int16] {
    if let samples { return samples }
    kill(process, SIGINT)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    guard let bytes = bytes(of: path) else { throw StandFailure("arecord has written nothing") }
    unlink(path)
    var all = TestSupport.samples(bytes)
    // The low half of a wide sample comes first.
    if bits == 32 { all = stride(from: 1, to: all.count, by: 2).map { all[$0] } }
    samples = all
    return all
  }
}
