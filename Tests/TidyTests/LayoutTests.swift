import Testing

@Suite("The layout of the sources")
struct LayoutTests {
  static let libraries = SourceFile.all(below: "Sources/CycleCore") + SourceFile.all(below: "Sources/HardwareDrivers")

  /// What of the files below one folder is named in those below another.
  func mentions(of there: String, in here: String) -> [String] {
    let types = Set(SourceFile.all(below: "Sources/HardwareDrivers/\(there)").flatMap(\.types))
    #expect(!types.isEmpty)
    return SourceFile.all(below: "Sources/HardwareDrivers/\(here)").flatMap { file in
      file.words.intersection(types).map { "\(file.path) names \($0)" }
    }
  }

  @Test("Law 12: drivers know nothing of the application: their modules import nothing but the cycle and the system")
  func isolation() {
    let core: Set = ["Glibc", "Synchronization"]
    let drivers = core.union(["CycleCore", "CLinux", "CGPIO", "CALSA"])
    #expect(Self.libraries.count > 60)
    for file in Self.libraries {
      let known = file.path.hasPrefix("Sources/CycleCore") ? core : drivers
      #expect(Set(file.imports).isSubset(of: known), "\(file.path) imports \(file.imports)")
    }
  }

  @Test("C stays under Linux/, and comes into no public signature")
  func importsOfC() {
    for file in Self.libraries {
      for line in file.lines where ["CLinux", "CGPIO", "CALSA"].contains(where: { line.hasSuffix("import \($0)") }) {
        #expect(file.path.hasPrefix("Sources/HardwareDrivers/Linux/"), "\(file.path): \(line)")
        #expect(line.hasPrefix("internal import "), "\(file.path): \(line)")
      }
    }
  }

  @Test(
    "devices know seams, never what is behind them", arguments: ["GPIO", "Audio", "I2C", "OneWire"],
    ["Linux", "Simulation"])
  func seams(_ devices: String, _ backend: String) {
    #expect(mentions(of: backend, in: devices) == [])
  }

  @Test("lines, sounds and buses don't know each other", arguments: ["GPIO", "Audio", "I2C", "OneWire"])
  func families(_ family: String) {
    for other in ["GPIO", "Audio", "I2C", "OneWire"] where other != family {
      #expect(mentions(of: other, in: family) == [])
    }
  }

  @Test("a port costs its own folders: nothing else names the bus", arguments: ["I2C", "OneWire"])
  func ports(_ port: String) {
    let folders = [port, "Linux/\(port)", "Simulation/\(port)"].map { "Sources/HardwareDrivers/\($0)/" }
    let types = Set(Self.libraries.filter { file in folders.contains { file.path.hasPrefix($0) } }.flatMap(\.types))
    for file in Self.libraries where !folders.contains(where: { file.path.hasPrefix($0) }) {
      #expect(file.words.isDisjoint(with: types), "\(file.path) names \(file.words.intersection(types))")
    }
  }

  @Test("a frame is the application's: sound has sample frames")
  func words() {
    for file in SourceFile.all(below: "Sources/HardwareDrivers/Audio") {
      #expect(file.words.isDisjoint(with: ["frames", "frameCount", "frameRate", "nframes"]), "\(file.path)")
    }
  }

  @Test("no wait counts on the wall clock, which a time server may set")
  func waits() {
    for file in Self.libraries {
      #expect(file.words.isDisjoint(with: ["sem_timedwait", "pthread_mutex_timedlock"]), "\(file.path)")
    }
  }

  @Test("libraries print nothing")
  func printing() {
    for file in Self.libraries { #expect(!file.words.contains("print"), "\(file.path)") }
  }

  @Test("no file is too long to be read at once")
  func lengths() {
    for file in SourceFile.all(below: "Sources") { #expect(file.lines.count <= 400, "\(file.path)") }
  }
}
