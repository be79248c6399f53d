import Testing

@Suite("The layout of the sources")
struct LayoutTests {
  static let libraries = [
    "CycleCore", "Signals", "Stores", "HardwareDrivers", "HardwareSimulation", "HardwareLinux", "HardwarePlatform",
    "Monitor",
  ]
  .flatMap { SourceFile.all(below: "Sources/\($0)") }
  static let ports = ["GPIO", "Audio", "I2C", "Sensor", "Network"]

  /// The files of a port: its devices, and what stands behind them.
  static func files(of port: String) -> [SourceFile] {
    let folders = ["HardwareDrivers", "HardwareSimulation", "HardwareLinux", "HardwarePlatform"].map {
      "Sources/\($0)/\(port)/"
    }
    return libraries.filter { file in folders.contains { file.path.hasPrefix($0) } }
  }

  @Test("C is imported where the real devices and the files are read, and comes into no public signature")
  func importsOfC() {
    #expect(Self.libraries.count > 150)
    for file in Self.libraries + SourceFile.all(below: "Sources/PanelKit") {
      for line in file.lines
      where ["CLinux", "CGPIO", "CALSA", "CYAML", "CHTTP", "CMQTT", "CSndFile"].contains(where: {
        line.hasSuffix("import \($0)")
      }) {
        let isAllowed = ["HardwareLinux", "HardwarePlatform", "Monitor", "PanelKit/Language/YAML"].contains {
          file.path.hasPrefix("Sources/\($0)/")
        }
        #expect(isAllowed, "\(file.path): \(line)")
        #expect(line.hasPrefix("internal import "), "\(file.path): \(line)")
      }
    }
  }

  @Test("nothing is built on Foundation")
  func foundation() {
    for file in SourceFile.all(below: "Sources") {
      #expect(!file.imports.contains { $0.hasPrefix("Foundation") }, "\(file.path)")
    }
  }

  @Test("lines, sounds, buses and sensors don't know each other", arguments: ports)
  func families(_ port: String) {
    for other in Self.ports where other != port {
      let types = Set(SourceFile.all(below: "Sources/HardwareDrivers/\(other)").flatMap(\.types))
      #expect(!types.isEmpty)
      for file in SourceFile.all(below: "Sources/HardwareDrivers/\(port)") {
        #expect(file.words.isDisjoint(with: types), "\(file.path) names \(file.words.intersection(types))")
      }
    }
  }

  /// Files and folders that name a port from outside of its folders: a port expander on a bus has lines, a
  /// chip with a sheet is a sensor on a bus, a register of Modbus is one on a serial line,
  /// a reader of tags is polled like a sensor, and the platform has short names for the ports that most applications use.
  static let bridges = [
    "Sources/HardwareDrivers/Expander/": ["I2C"],
    "Sources/HardwareDrivers/Sheet/": ["I2C", "Sensor"], "Sources/HardwareSimulation/Sheet/": ["I2C", "Sensor"],
    "Sources/HardwareLinux/Sheet/": ["I2C", "Sensor"],
    "Sources/HardwareDrivers/Tag/": ["Sensor"],
    "Sources/HardwareDrivers/Modbus/": ["Sensor"], "Sources/HardwareLinux/Modbus/": ["Sensor"],
    "Sources/HardwareSimulation/Modbus/": ["Sensor"],
    "Sources/HardwarePlatform/Application/Platform+HardwareAccessors.swift": ["I2C", "Sensor"],
  ]

  @Test("a port costs its own folders: nothing else names the bus", arguments: ["I2C", "Sensor"])
  func portFolders(_ port: String) {
    let files = Self.files(of: port)
    let types = Set(files.flatMap(\.types))
    for file in Self.libraries
    where !files.contains(where: { $0.path == file.path })
      && !Self.bridges.contains(where: { file.path.hasPrefix($0.key) && $0.value.contains(port) })
    {
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

  @Test("no test has a time limit, which counts while the test waits for a processor; tools/run-tests has one for all")
  func timeLimits() {
    let files = SourceFile.all(below: "Tests")
    #expect(!files.isEmpty)
    for file in files { #expect(!file.words.contains("timeLimit"), "\(file.path)") }
  }

  @Test("libraries print nothing")
  func printing() {
    // The table of keys has the key with this name.
    for file in Self.libraries where !file.path.hasSuffix("/KeyCode.swift") {
      #expect(!file.words.contains("print"), "\(file.path)")
    }
  }
}
