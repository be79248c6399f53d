// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "hardware-panels", path: "..")],
  targets: [
    // Drivers are modules of their own, here as in any application.
    .target(
      name: "BenchDrivers", dependencies: [.product(name: "CycleCore", package: "hardware-panels")]),
    .target(name: "MallocCount"),
    .target(name: "StalledDisk"),
    .target(name: "Yardstick", cSettings: [.unsafeFlags(["-O3", "-ffast-math"])]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "BenchDrivers", "MallocCount", "StalledDisk", "Yardstick",
        .product(name: "CycleCore", package: "hardware-panels"),
        .product(name: "Signals", package: "hardware-panels"),
        .product(name: "Stores", package: "hardware-panels"),
        .product(name: "HardwareDrivers", package: "hardware-panels"),
        .product(name: "HardwareSimulation", package: "hardware-panels"),
        .product(name: "HardwareLinux", package: "hardware-panels"),
        .product(name: "HardwarePlatform", package: "hardware-panels"),
        .product(name: "Monitor", package: "hardware-panels"),
        .product(name: "PanelKit", package: "hardware-panels"),
      ],
      // Valgrind 3.19 gives up on the debug information of Swift 6.3.
      linkerSettings: [.unsafeFlags(["-Xlinker", "--strip-debug"])]),
    .executableTarget(
      name: "fleet",
      dependencies: [
        .product(name: "CycleCore", package: "hardware-panels"),
        .product(name: "HardwareDrivers", package: "hardware-panels"),
        .product(name: "HardwareSimulation", package: "hardware-panels"),
        .product(name: "HardwareLinux", package: "hardware-panels"),
      ]),
    .executableTarget(
      name: "idle",
      dependencies: [
        .product(name: "CycleCore", package: "hardware-panels"),
        .product(name: "HardwareDrivers", package: "hardware-panels"),
        .product(name: "HardwareSimulation", package: "hardware-panels"),
        .product(name: "HardwareLinux", package: "hardware-panels"),
      ]),
    .executableTarget(
      name: "late",
      dependencies: [
        .product(name: "CycleCore", package: "hardware-panels"),
        .product(name: "HardwareDrivers", package: "hardware-panels"),
        .product(name: "HardwareSimulation", package: "hardware-panels"),
        .product(name: "HardwareLinux", package: "hardware-panels"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
