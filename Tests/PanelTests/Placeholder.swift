import Testing

@testable import panel
