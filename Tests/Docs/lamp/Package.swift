// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "lamp",
  dependencies: [
    .package(url: "https://github.com/OWNER/hardware-panels.git", from: "0.1.0")
  ],
  targets: [
    .executableTarget(
      name: "lamp",
      dependencies: [
        .product(name: "CycleCore", package: "hardware-panels"),
        .product(name: "HardwareDrivers", package: "hardware-panels"),
        .product(name: "HardwarePlatform", package: "hardware-panels"),
      ]),
    .testTarget(
      name: "LampTests",
      dependencies: ["lamp", .product(name: "HardwareSimulation", package: "hardware-panels")]),
  ],
  swiftLanguageModes: [.v6]
)
