import Testing

@testable import HardwareDrivers
