// swift-tools-version: 6.0
import PackageDescription

// The application of docs/swift/state.md.
let package = Package(
  name: "Radio",
  dependencies: [.package(name: "hardware-panels", path: "../..")],
  targets: [
    .executableTarget(
      name: "radio",
      dependencies: [
        .product(name: "CycleCore", package: "hardware-panels"),
        .product(name: "Signals", package: "hardware-panels"),
        .product(name: "Stores", package: "hardware-panels"),
        .product(name: "HardwareDrivers", package: "hardware-panels"),
        .product(name: "HardwarePlatform", package: "hardware-panels"),
      ]),
    .testTarget(
      name: "RadioTests", dependencies: ["radio", .product(name: "HardwareSimulation", package: "hardware-panels")]),
  ],
  swiftLanguageModes: [.v6]
)
