import Testing

@testable import TimerProtocol

@Suite("JSON")
struct JSONTests {
    @Test(
        "is read as RFC 8259 defines it",
        arguments: [
            ("null", JSON.null), ("true", .bool(true)), (" false ", .bool(false)), ("0", .integer(0)),
            ("-12", .integer(-12)), ("1.5", .number(1.5)), ("1e3", .number(1000)),
            ("100000000000000000000", .number(1e20)),
            (#""a\n\"\\\/\u00e9\ud83d\ude00""#, .string("a\n\"\\/é😀")), ("[]", .array([])), ("{}", .object([])),
            ("[1, [2]]", .array([.integer(1), .array([.integer(2)])])),
            (
                #"{"b":1,"a":null}"#,
                .object([.init(key: "b", value: .integer(1)), .init(key: "a", value: .null)])
            ),
        ])
    func reads(text: String, value: JSON) throws {
        #expect(try JSON(parsing: Array(text.utf8)) == value)
    }

    @Test(
        "is refused with the position and the expected token",
        arguments: [
            ("", "not JSON: found the end at byte 1, expected a value"),
            ("{", "not JSON: found the end at byte 2, expected a key in quotes"),
            (#"{"a" 1}"#, "not JSON: found '1' at byte 6, expected a colon"),
            ("[1,]", "not JSON: found ']' at byte 4, expected a value"),
            ("[1 2]", "not JSON: found '2' at byte 4, expected a comma or a closing bracket"),
            ("01", "not JSON: found the end at byte 3, expected no leading zero"),
            ("1.", "not JSON: found the end at byte 3, expected a digit"),
            ("nul", "not JSON: found 'n' at byte 1, expected a value"),
            ("1 2", "not JSON: found '2' at byte 3, expected the end of the text"),
            ("\"a", "not JSON: found the end at byte 3, expected the end of a string"),
            (#""\ud800""#, "not JSON: found '\"' at byte 8, expected the second half of a surrogate pair"),
            ("1e999", "not JSON: found the end at byte 6, expected a number in range"),
            (#"{"a":1,"b":2,"a":3}"#, "duplicate key \"a\""),
            (#"{"a":1,"\u0061":3}"#, "duplicate key \"a\""),
            ("[[[[[[[[[1]]]]]]]]]", "nested deeper than 8 levels at byte 9"),
        ])
    func refuses(text: String, reason: String) {
        #expect(throws: JSON.ParseError(description: reason)) { try JSON(parsing: Array(text.utf8)) }
    }

    @Test("may have eight levels; ten thousand are refused without deep recursion")
    func depth() throws {
        let eight = String(repeating: "[", count: 8) + String(repeating: "]", count: 8)
        #expect(try JSON(parsing: Array(eight.utf8)).text == eight)
        #expect(throws: JSON.ParseError.self) { try JSON(parsing: Array(repeating: UInt8(ascii: "["), count: 10_000)) }
    }

    @Test("that is not UTF-8 is refused", arguments: [[0xFF], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]])
    func invalidUTF8(bytes: [UInt8]) {
        #expect(throws: JSON.ParseError(description: "the payload is not valid UTF-8")) { try JSON(parsing: bytes) }
    }

    @Test("is written with its keys in order, and is the same when it is read back")
    func writes() throws {
        let value: JSON = [
            "z": 1, "a": [true, nil, .number(41.37), .number(2)], "text": "tab\tquote\"\u{1}é", "empty": .object([]),
        ]
        #expect(value.text == #"{"z":1,"a":[true,null,41.37,2],"text":"tab\tquote\"\u0001é","empty":{}}"#)
        #expect(try JSON(parsing: Array(value.text.utf8)).text == value.text)
    }
}
