import FoundationEssentials
import TestSupport
import Testing
import TimerEngine

@testable import TimerProtocol

@Suite("Written JSON")
struct JSONWriterTests {
    private func written(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("has commas between members and elements, and nowhere else")
    func commas() {
        let text = written { writer in
            writer.object { writer in
                writer.member("a", true)
                writer.member("b") { _ in }
                writer.member("c") { $0.member("d", "[{:") }
                writer.key("e")
                writer.value(JSON.array([.array([]), .object([]), 1, nil]))
            }
        }
        #expect(text == #"{"a":true,"b":{},"c":{"d":"[{:"},"e":[[],{},1,null]}"#)
    }

    @Test(
        "has whole numbers in full",
        arguments: [
            (0, "0"), (7, "7"), (10, "10"), (-1, "-1"), (1_000_000, "1000000"), (.max, "9223372036854775807"),
            (.min, "-9223372036854775808"),
        ])
    func integers(number: Int, text: String) {
        #expect(written { $0.value(number) } == text)
    }

    @Test(
        "has times in seconds to the nearest millisecond, without zeros at the end",
        arguments: [
            (.zero, "0"), (.seconds(90), "90"), (.milliseconds(41_370), "41.37"), (.milliseconds(1), "0.001"),
            (.milliseconds(1_010), "1.01"), (.microseconds(1_999_600), "2"), (.microseconds(499), "0"),
            (.milliseconds(-1_500), "-1.5"),
        ] as [(Duration, String)])
    func durations(duration: Duration, text: String) {
        #expect(written { $0.value(duration) } == text)
    }

    @Test("has null for numbers that JSON cannot express")
    func noNumbers() {
        #expect(written { $0.value(Double.nan) } == "null")
        #expect(written { $0.value(-Double.infinity) } == "null")
        #expect(written { $0.value(1e300) } == "1e+300")
    }

    @Test("is read back as it was written, no matter what a string contains")
    func texts() throws {
        var random = SeededGenerator()
        let alphabet =
            (0...0x2F).compactMap(Unicode.Scalar.init(_:)) + ["\\", "é", "\u{7F}", "\u{2028}", "😀", "\u{301}"]
        for _ in 0..<2000 {
            let length = Int.random(in: 0...12, using: &random)
            let scalars = (0..<length).compactMap { _ in alphabet.randomElement(using: &random) }
            let text = String(String.UnicodeScalarView(scalars))
            let bytes = JSON.array([.string(text)]).bytes
            let read = try JSONDecoder().decode([String].self, from: Data(bytes))
            #expect(read.first.map { Array($0.unicodeScalars) } == scalars)
            #expect(try JSON(parsing: bytes) == .array([.string(text)]))
        }
    }
}
