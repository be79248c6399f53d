// swift-tools-version: 6.0
import PackageDescription

// Drivers for devices that the toolkit doesn't have, one of each shape: see docs/swift/drivers.md.
let package = Package(
  name: "Parts",
  products: [.library(name: "Parts", targets: ["Parts"])],
  dependencies: [.package(name: "hardware-panels", path: "../..")],
  targets: [
    .target(
      name: "Parts",
      dependencies: [
        .product(name: "CycleCore", package: "hardware-panels"),
        .product(name: "HardwareDrivers", package: "hardware-panels"),
        .product(name: "HardwareLinux", package: "hardware-panels"),
      ]),
    .testTarget(
      name: "PartsTests",
      dependencies: [
        "Parts", .product(name: "HardwareSimulation", package: "hardware-panels"),
        .product(name: "HardwareLinux", package: "hardware-panels"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
