// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "hardware-panels",
  products: [
    .library(name: "CycleCore", targets: ["CycleCore"]),
    .library(name: "Signals", targets: ["Signals"]),
    .library(name: "Stores", targets: ["Stores"]),
    .library(name: "HardwareDrivers", targets: ["HardwareDrivers"]),
    .library(name: "HardwareSimulation", targets: ["HardwareSimulation"]),
    .library(name: "HardwareLinux", targets: ["HardwareLinux"]),
    .library(name: "HardwarePlatform", targets: ["HardwarePlatform"]),
    .library(name: "Monitor", targets: ["Monitor"]),
    .library(name: "PanelKinds", targets: ["PanelKinds"]),
    .library(name: "PanelKit", targets: ["PanelKit"]),
    .executable(name: "panel", targets: ["panel"]),
  ],
  targets: [
    // C: what pkg-config finds of each library that is linked, and the interface that Swift sees.
    .systemLibrary(name: "libasound", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(name: "libyaml", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .target(name: "CYAML", dependencies: ["libyaml"]),
    .target(name: "CLinux"),
    // Their libraries are loaded when they are needed: one program runs on both generations of libgpiod, and a panel
    // that is simulated, makes no sound or has no monitor runs where they are missing.
    .target(name: "CGPIO"),
    .target(name: "CALSA"),
    .target(name: "CHTTP"),
    .target(name: "CMQTT"),
    .target(name: "CSndFile"),

    // No hardware: what all layers use, recordings, and the cycle.
    .target(name: "CycleBase", path: "Sources/CycleCore/Base"),
    .target(name: "Recordings", dependencies: ["CycleBase"], path: "Sources/CycleCore/Recordings"),
    .target(name: "CycleCore", dependencies: ["CycleBase", "Recordings"], exclude: ["Base", "Recordings"]),
    .target(name: "Signals", dependencies: ["CycleCore"]),
    .target(name: "Stores", dependencies: ["CycleCore"]),

    // What a command reads from its command line and writes to its terminal.
    .target(name: "Terminal", dependencies: ["CycleCore"]),

    // Applications on a page, by HTTP.
    .target(name: "Monitor", dependencies: ["CycleCore", "CLinux", "CHTTP"], exclude: ["Page"]),

    // Devices and their ports; the ports in memory; the ports on Linux.
    .target(name: "HardwareDrivers", dependencies: ["CycleCore"]),
    .target(name: "HardwareSimulation", dependencies: ["CycleCore", "HardwareDrivers"]),
    .target(
      name: "HardwareLinux",
      dependencies: ["CycleCore", "HardwareDrivers", "CLinux", "CGPIO", "CALSA", "CMQTT", "CSndFile"]),

    // Programs: real or simulated ports, options, recordings, consoles, control sockets.
    .target(
      name: "HardwarePlatform",
      dependencies: [
        "CycleCore", "HardwareDrivers", "HardwareSimulation", "HardwareLinux", "Monitor", "Terminal", "CLinux",
      ]),

    // Panels, from the lowest layer to the command. Each is a folder of Sources/PanelKit.
    .panel("PanelWiring", "Wiring", ["CycleCore"]),
    .panel("PanelLanguage", "Language", ["PanelWiring", "CycleCore", "HardwareDrivers", "Terminal", "CYAML"]),
    .panel(
      "PanelEngine", "Engine", ["PanelLanguage", "CycleCore", "HardwareDrivers", "HardwareSimulation", "Terminal"]),
    .panel("PanelChart", "Chart", ["PanelEngine", "PanelLanguage", "Terminal"]),
    .panel(
      "PanelKinds", "Kinds",
      [
        "PanelEngine", "PanelLanguage", "PanelWiring", "CycleCore", "HardwareDrivers", "HardwareSimulation",
        "HardwareLinux", "HardwarePlatform", "Terminal",
      ], exclude: ["Sheets/Standard"]),
    .panel(
      "PanelNetwork", "Network",
      [
        "PanelKinds", "PanelEngine", "PanelLanguage", "CycleCore", "HardwareDrivers", "HardwareSimulation",
        "HardwareLinux", "HardwarePlatform", "Terminal",
      ]),
    .panel(
      "PanelRun", "Run",
      [
        "PanelNetwork", "PanelKinds", "PanelEngine", "PanelLanguage", "CycleCore", "HardwareDrivers",
        "HardwareSimulation", "HardwareLinux", "HardwarePlatform", "Terminal",
      ]),
    .panel(
      "PanelProof", "Proof",
      ["PanelRun", "PanelKinds", "PanelEngine", "PanelLanguage", "CycleCore", "HardwareDrivers", "Terminal"]),
    .panel(
      "PanelExplore", "Explore",
      [
        "PanelProof", "PanelRun", "PanelNetwork", "PanelEngine", "PanelLanguage", "CycleCore", "HardwareDrivers",
        "HardwareSimulation", "HardwarePlatform", "Terminal",
      ]),
    .panel(
      "PanelRecording", "Recording",
      [
        "PanelRun", "PanelNetwork", "PanelKinds", "PanelEngine", "PanelLanguage", "CycleCore", "HardwareDrivers",
        "HardwareSimulation", "HardwareLinux", "HardwarePlatform", "Monitor", "Terminal",
      ]),
    .target(
      name: "PanelKit",
      dependencies: [
        "PanelWiring", "PanelLanguage", "PanelEngine", "PanelChart", "PanelKinds", "PanelNetwork", "PanelRun",
        "PanelProof", "PanelExplore", "PanelRecording", "CycleCore", "HardwareDrivers", "HardwareSimulation",
        "HardwareLinux", "HardwarePlatform", "Terminal",
      ], path: "Sources/PanelKit/Program"),
    .executableTarget(name: "panel", dependencies: ["PanelKit"]),

    .testTarget(name: "CycleCoreTests", dependencies: ["CycleCore", "Recordings", "TestSupport"]),
    .testTarget(
      name: "MonitorTests", dependencies: ["Monitor", "HardwareDrivers", "HardwareSimulation", "TestSupport"]),
    .testTarget(name: "SignalsTests", dependencies: ["Signals", "TestSupport"]),
    .testTarget(name: "StoresTests", dependencies: ["Stores", "TestSupport"]),
    .testTarget(
      name: "SeedTests", dependencies: ["CycleCore", "Signals", "Stores", "PanelKit", "panel", "TestSupport"]),
    .testTarget(name: "HardwareDriversTests", dependencies: ["HardwareDrivers", "HardwareSimulation", "TestSupport"]),
    .testTarget(
      name: "HardwareSimulationTests",
      dependencies: ["Signals", "Stores", "HardwareDrivers", "HardwareSimulation", "TestSupport"]),
    .testTarget(
      name: "HardwareLinuxTests",
      dependencies: ["HardwareDrivers", "HardwareSimulation", "HardwareLinux", "TestSupport", "EdgeQueues"]),
    .testTarget(
      name: "HardwarePlatformTests",
      dependencies: [
        "HardwareDrivers", "HardwareSimulation", "HardwareLinux", "HardwarePlatform", "Monitor", "TestSupport",
      ]),
    .testTarget(
      name: "PanelKitTests", dependencies: ["PanelKit", "panel", "TestSupport"],
      exclude: [
        "WrongFiles", "File/doorbell", "Network/doorbell.discovery.json", "Network/discovery.schema.json",
        "Wiring/Golden",
      ]),
    .testTarget(
      name: "ConformanceTests",
      dependencies: ["PanelKit", "panel", "HardwareLinux", "HardwarePlatform", "PacedPCM", "TestSupport"]),
    .testTarget(name: "TerminalTests", dependencies: ["Terminal", "TestSupport"]),
    .testTarget(name: "TidyTests", dependencies: ["TestSupport"]),
    .target(name: "TestSupport", dependencies: ["CycleCore"], path: "Tests/Support"),
    .target(
      name: "EdgeQueues", path: "Tests/EdgeQueues", cSettings: [.headerSearchPath("../../Sources/CGPIO/include")]),
    .target(name: "PacedPCM", dependencies: ["libasound"], path: "Tests/PacedPCM"),
  ],
  swiftLanguageModes: [.v6]
)

extension Target {
  /// A layer of panels: a folder of Sources/PanelKit.
  static func panel(
    _ name: String, _ folder: String, _ dependencies: [Dependency], exclude: [String] = []
  ) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/PanelKit/\(folder)", exclude: exclude)
  }
}

// A build that needs some tests only, as that for an emulator, names their targets in TEST_TARGETS; the others are left
// out.
if let wanted = Context.environment["TEST_TARGETS"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}
