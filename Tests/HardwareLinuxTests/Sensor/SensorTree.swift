import CycleCore
import Glibc
import TestSupport
import Testing

@testable import HardwareDrivers

/// Folders like the kernel's, with the files of some devices.
///
///     try withDevices(["hwmon0": ["name": "cpu_thermal\n", "temp1_input": "48312\n"]]) { folder in … }
func withDevices(_ devices: [String: [String: String]], _ body: (String) throws -> Void) throws {
  try withFiles { (folder: String) throws in
    for (device, files) in devices {
      #expect(mkdir("\(folder)/\(device)", 0o755) == 0)
      for (file, text) in files { try write(text, to: "\(folder)/\(device)/\(file)") }
    }
    defer {
      for device in names(in: folder) {
        for file in names(in: "\(folder)/\(device)") { unlink("\(folder)/\(device)/\(file)") }
        rmdir("\(folder)/\(device)")
      }
    }
    try body(folder)
  }
}

/// Writes a text into a file, in place of what was in it.
func write(_ text: String, to path: String) throws {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
  try #require(descriptor >= 0)
  defer { close(descriptor) }
  let bytes = Array(text.utf8)
  #expect(write(descriptor, bytes, bytes.count) == bytes.count)
}

/// What a source reads; its unit behind it.
func reading(_ source: some NumberSource) throws -> String {
  "\(try source.readNumber(on: WorkClock(at: .zero))) \(source.unit)"
}

/// The error of a reading as text; its kind before it.
func failure(_ source: any NumberSource) -> String {
  do throws(DriverError) {
    return "read \(try source.readNumber(on: WorkClock(at: .zero)))"
  } catch {
    #expect(error.subject == source.name)
    return "\(error.kind): \(error)"
  }
}
