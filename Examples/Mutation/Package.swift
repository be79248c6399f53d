// swift-tools-version: 6.0
import PackageDescription

// A number, two buttons and a bar, three times: counted, changed step by step, and animated.
let panels: [Target.Dependency] = [
  .product(name: "CycleCore", package: "hardware-panels"),
  .product(name: "HardwareDrivers", package: "hardware-panels"),
  .product(name: "HardwarePlatform", package: "hardware-panels"),
]

let package = Package(
  name: "Mutation",
  dependencies: [.package(name: "hardware-panels", path: "../..")],
  targets: [
    .executableTarget(name: "counter", dependencies: panels),
    .executableTarget(name: "mutation", dependencies: panels),
    .executableTarget(name: "animated", dependencies: panels),
    .testTarget(
      name: "MutationTests",
      dependencies: ["counter", "mutation", "animated"] + panels + [
        .product(name: "HardwareSimulation", package: "hardware-panels")
      ]),
  ],
  swiftLanguageModes: [.v6]
)
