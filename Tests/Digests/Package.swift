// swift-tools-version: 6.0
import PackageDescription

// Replays a recording of an application in Swift, and computes the times of the sun, with nothing else: it is built for another processor in a minute.
let package = Package(
  name: "Digests",
  dependencies: [.package(name: "hardware-panels", path: "../..")],
  targets: [
    .executableTarget(
      name: "tap",
      dependencies: [
        .product(name: "CycleCore", package: "hardware-panels"),
        .product(name: "HardwareDrivers", package: "hardware-panels"),
        .product(name: "HardwareSimulation", package: "hardware-panels"),
      ]),
    .executableTarget(name: "sun", dependencies: [.product(name: "HardwareDrivers", package: "hardware-panels")]),
  ],
  swiftLanguageModes: [.v6]
)
