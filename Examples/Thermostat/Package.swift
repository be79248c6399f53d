// swift-tools-version: 6.0
import PackageDescription

// An application with a driver of its own, which is a module that doesn't import the application.
let package = Package(
  name: "Thermostat",
  dependencies: [.package(name: "hardware-panels", path: "../..")],
  targets: [
    .target(name: "Thermometer", dependencies: [.product(name: "CycleCore", package: "hardware-panels")]),
    .executableTarget(
      name: "thermostat",
      dependencies: [
        "Thermometer",
        .product(name: "CycleCore", package: "hardware-panels"),
        .product(name: "HardwareDrivers", package: "hardware-panels"),
        .product(name: "HardwarePlatform", package: "hardware-panels"),
        .product(name: "HardwareSimulation", package: "hardware-panels"),
      ]),
    .testTarget(
      name: "ThermometerTests",
      dependencies: ["Thermometer", .product(name: "HardwareSimulation", package: "hardware-panels")]),
    .testTarget(
      name: "ThermostatTests",
      dependencies: ["thermostat", .product(name: "HardwareSimulation", package: "hardware-panels")]),
  ],
  swiftLanguageModes: [.v6]
)
