// swift-tools-version: 6.0
import PackageDescription

// A kind of output that the toolkit doesn't have, with its driver, and a command `panel` that knows it: see
// docs/swift/kinds.md.
let package = Package(
  name: "ColourLamp",
  products: [.library(name: "ColourLamp", targets: ["ColourLamp"])],
  dependencies: [.package(name: "hardware-panels", path: "../..")],
  targets: [
    .target(
      name: "ColourLamp",
      dependencies: [
        .product(name: "CycleCore", package: "hardware-panels"),
        .product(name: "HardwareDrivers", package: "hardware-panels"),
        .product(name: "HardwareLinux", package: "hardware-panels"),
        .product(name: "HardwareSimulation", package: "hardware-panels"),
        .product(name: "PanelKinds", package: "hardware-panels"),
      ]),
    .executableTarget(
      name: "colour-panel", dependencies: ["ColourLamp", .product(name: "PanelKit", package: "hardware-panels")]),
    .testTarget(
      name: "ColourLampTests",
      dependencies: [
        "ColourLamp", .product(name: "HardwareSimulation", package: "hardware-panels"),
        .product(name: "PanelKit", package: "hardware-panels"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
