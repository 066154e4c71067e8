import NodeTestSupport
import Testing

@testable import NodeConfiguration

@Suite("The tape in a configuration")
struct TapeConfigurationTests {
    @Test(
        "has a size from 1 to 1000 MB, with or without a space before the unit",
        arguments: [("1 MB", 1_000_000), ("1MB", 1_000_000), ("16MB", 16_000_000), ("1000 MB", 1_000_000_000)])
    func size(text: String, bytes: Int) throws {
        #expect(try load("tape: {size: \(text)}").configuration.tape?.size == bytes)
    }

    @Test("has no other size", arguments: ["0 MB", "1001 MB", "16", "MB", " MB", "16  MB", "16 mb", "-1 MB", "1.5 MB"])
    func noSize(text: String) {
        #expect(
            findings("tape: {size: '\(text)'}")
                == ["node.yaml:1: tape.size: found \"\(text)\", expected a size from 1 MB to 1000 MB"])
    }
}
