import Testing

@testable import TimerProtocol

@Suite("An entry of a running order that ends by the clock")
struct ProgrammeEntryTests {
    private func read(warning: Int?, final: Int) throws -> Programme {
        let times = (warning.map { #""warning":\#($0),"# } ?? "") + #""final":\#(final)"#
        return try Programme.read(Array(#"{"entries":[{"title":"Debate","until":"18:30",\#(times)}]}"#.utf8))
    }

    @Test(
        "may have a final time below its warning time, or below a day if it has no warning",
        arguments: [(60, 59), (1, 0), (0, 0), (nil, 86_398)] as [(Int?, Int)])
    func valid(warning: Int?, final: Int) throws {
        let entry = try #require(try read(warning: warning, final: final).entries.first)
        #expect(entry.until == TimeOfDay("18:30") && entry.warning == warning && entry.final == final)
    }

    @Test(
        "is refused with any other final time", arguments: [(60, 60), (1, 1), (0, 1), (nil, 86_399)] as [(Int?, Int)])
    func invalid(warning: Int?, final: Int) {
        let error = #expect(throws: PayloadError.self) { try read(warning: warning, final: final) }
        #expect(error?.description.contains("found \(final) s, expected less than \"warning\"") == true)
    }

    @Test("is refused with a minimum above its maximum")
    func rule() {
        let entry = #"{"title":"Debate","until":"18:30","minimum":70,"maximum":60}"#
        let error = #expect(throws: PayloadError.self) { try Programme.read(Array(#"{"entries":[\#(entry)]}"#.utf8)) }
        #expect(error?.description.contains("minimum 70 is above maximum 60") == true)
    }
}
