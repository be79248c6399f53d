// swift-tools-version: 6.0
import PackageDescription

// The application of the README.
let package = Package(
  name: "Tally",
  dependencies: [.package(name: "hardware-panels", path: "../..")],
  targets: [
    .executableTarget(
      name: "tally",
      dependencies: [
        .product(name: "CycleCore", package: "hardware-panels"),
        .product(name: "HardwareDrivers", package: "hardware-panels"),
        .product(name: "HardwarePlatform", package: "hardware-panels"),
      ]),
    .testTarget(
      name: "TallyTests",
      dependencies: ["tally", .product(name: "HardwareSimulation", package: "hardware-panels")]),
  ],
  swiftLanguageModes: [.v6]
)
