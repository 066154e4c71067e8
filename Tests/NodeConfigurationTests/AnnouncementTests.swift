import Testing

@testable import NodeConfiguration

@Suite("A payload on a discovery topic")
struct AnnouncementTests {
    @Test(
        "announces a node only if the device has the node's identifier",
        arguments: [
            (#"{"dev":{"identifiers":["timer_lectern"]}}"#, true), (#"{"dev":{"identifiers":["timer_stage"]}}"#, false),
            (#"{"dev":{"identifiers":["lectern"]}}"#, false), (#"{"dev":{}}"#, false), ("{}", false), ("", false),
            ("hello", false),
        ])
    func announcement(payload: String, isOne: Bool) {
        #expect(NodeConfiguration.Discovery.isAnnouncement(Array(payload.utf8), of: "lectern") == isOne)
    }
}
