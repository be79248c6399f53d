import Testing

@testable import CycleCore
