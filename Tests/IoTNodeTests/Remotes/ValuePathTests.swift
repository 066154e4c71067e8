import NodeConfiguration
import Testing

@testable import IoTNode
@testable import TimerProtocol

@Suite("A path into JSON")
struct ValuePathTests {
    private static let json = #"{"a":{"b":[{"c":1},[2,3]],"input:0":"x"},"b c":true,"0":null,"é":4}"#

    @Test(
        "finds",
        arguments: [
            ("a.b[0].c", JSON.integer(1)), ("a.b[1][1]", 3), ("a.b[1]", .array([2, 3])), ("a.input:0", "x"),
            ("b c", true),
            ("0", nil), ("é", 4),
        ])
    func finds(path: String, value: JSON) throws {
        #expect(try ValuePath(path)?.value(in: JSON(parsing: Array(Self.json.utf8))) == value)
    }

    @Test("finds in an array")
    func array() {
        #expect(ValuePath("[1].a")?.value(in: .array([1, ["a": 2]])) == 2)
        #expect(ValuePath("[0][0]")?.value(in: .array([.array([5])])) == 5)
    }

    @Test(
        "finds nothing if there is no value",
        arguments: ["b", "a.c", "a.b[2]", "a.b.c", "a[0]", "a.b[0].c.d", "a.b[0].c[0]", "[0]", "A"])
    func nothing(path: String) throws {
        let parsed = try #require(ValuePath(path))
        #expect(try parsed.value(in: JSON(parsing: Array(Self.json.utf8))) == nil)
    }

    @Test(
        "is refused",
        arguments: [
            "", ".", "a.", ".a", "a..b", "a[", "a]", "a[]", "a[x]", "a[-1]", "a[0", "a[0]b", "a[0]]", "a.[0]",
            "a[1000000]",
            "a]b", "[0]a", "a[ 0]", "a.b.c.d.e.f.g.h.i", "[0][0][0][0][0][0][0][0][0]",
        ])
    func refused(text: String) {
        #expect(ValuePath(text) == nil)
    }
}
