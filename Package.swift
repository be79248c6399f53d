// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "hardware-panels",
  products: [
    .library(name: "CycleCore", targets: ["CycleCore"]),
    .library(name: "HardwareDrivers", targets: ["HardwareDrivers"]),
    .executable(name: "panel", targets: ["panel"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // The compiler and linker flags of libgpiod, whichever generation pkg-config finds.
    .systemLibrary(name: "libgpiod", pkgConfig: "libgpiod", providers: [.apt(["libgpiod-dev"])]),
    .target(name: "CGPIO", dependencies: ["libgpiod"]),
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    .target(name: "CLinux"),
    .target(name: "CycleCore"),
    .target(name: "HardwareDrivers", dependencies: ["CycleCore", "CLinux", "CGPIO", "CALSA"]),
    .executableTarget(
      name: "panel",
      dependencies: [
        "CycleCore", "HardwareDrivers",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Yams", package: "Yams"),
      ]),
    .testTarget(name: "CycleCoreTests", dependencies: ["CycleCore"]),
    .testTarget(name: "HardwareDriversTests", dependencies: ["CLinux", "CycleCore", "HardwareDrivers", "TestSupport"]),
    .testTarget(
      name: "PanelTests", dependencies: ["panel", "CycleCore", "HardwareDrivers", "TestSupport"],
      exclude: ["WrongFiles", "File/doorbell"]),
    .testTarget(
      name: "ConformanceTests", dependencies: ["panel", "CycleCore", "HardwareDrivers", "PacedPCM", "TestSupport"]),
    .testTarget(name: "TidyTests", dependencies: ["TestSupport"]),
    .target(name: "TestSupport", dependencies: ["CycleCore"], path: "Tests/Support"),
    .target(name: "PacedPCM", dependencies: ["CALSA"], path: "Tests/PacedPCM"),
  ],
  swiftLanguageModes: [.v6]
)
