import NodeTestSupport
import Testing

@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("A file that is not valid YAML for a configuration")
struct YAMLTests {
    @Test(
        "is reported as one fault with its line",
        arguments: [
            ("", "node.yaml:1: this file is empty"),
            ("# nothing but this\n", "node.yaml:1: this file is empty"),
            ("---\n", "node.yaml:1: this file is empty"),
            ("---", "node.yaml:1: this file is empty"),
            ("--- # a\n...\n", "node.yaml:1: this file is empty"),
            ("~\n", "node.yaml:1: this file is empty"),
            (
                "mqtt: {brokers: [mqtt://[::1]:1883]}\n",
                """
                node.yaml:1: did not find expected ',' or ']' while parsing a flow sequence \
                (put a value that contains brackets in quotes: "mqtt://[::1]:1883")
                """
            ),
            (
                "mqtt:\n  brokers:\n    [mqtt://a,\n     mqtts://[fe80::1%eth0]]\n",
                """
                node.yaml:4: did not find expected ',' or ']' while parsing a flow sequence that begins on line 3 \
                (put a value that contains brackets in quotes: "mqtt://[::1]:1883")
                """
            ),
            (
                "log:\n\tlevel: info\n",
                """
                node.yaml:2: found character that cannot start any token while scanning for the next token \
                (indent with spaces; this line has a tab)
                """
            ),
            (
                "log: {level: info\nnode: {}\n",
                "node.yaml:2: did not find expected ',' or '}' while parsing a flow mapping that begins on line 1"
            ),
            (
                "node:\n  name: \"Lectern\n\n",
                "node.yaml:4: found unexpected end of stream while scanning a quoted scalar that begins on line 2"
            ),
            ("node: a: b\n", "node.yaml:1: mapping values are not allowed in this context"),
            ("log: {}\n---\nlog: {}\n", "node.yaml:2: a second document begins; only one is allowed"),
            ("log: &a {}\n", "node.yaml:1: anchors (&name) are not supported"),
            ("node: {}\nlog: *a\n", "node.yaml:2: aliases (*name) are not supported"),
            ("log: !!map {}\n", "node.yaml:1: tags (!name) are not supported"),
            (
                "log: {level: info}\nnode: {name: \"a\u{0}b\"}\n",
                "node.yaml:2: control characters are not allowed (0x0)"
            ),
            ("node: {name: \u{7}}\n", "node.yaml:1: control characters are not allowed (0x7)"),
            (String(repeating: "[", count: 1000), "node.yaml:1: nesting over 16 levels"),
        ])
    func syntax(yaml: String, fault: String) {
        #expect(findings(yaml) == [fault])
    }

    @Test(
        "is refused if its bytes are not UTF-8",
        arguments: [[0xFF], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xC0, 0x80]])
    func encoding(bytes: [UInt8]) throws {
        let faults = findings(Array("node: {}\nlog: {}\n# ".utf8) + bytes + Array("\n".utf8))
        #expect(faults.count == 1)
        #expect(try #require(faults.first).hasPrefix("node.yaml:3: "))
        #expect(try #require(faults.first).contains("UTF-8") || faults[0].contains("Unicode"))
    }

    @Test("cannot expand through aliases, as in the billion laughs attack")
    func billionLaughs() {
        let yaml = """
            a: &a [ha, ha, ha, ha, ha, ha, ha, ha, ha]
            b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
            c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
            """
        #expect(findings(yaml) == ["node.yaml:1: anchors (&name) are not supported"])
    }

    @Test("is refused without parsing if it is too long")
    func tooLong() {
        let fault = "node.yaml:1: the file is longer than 262144 bytes"
        #expect(findings(Array(repeating: UInt8(ascii: "#"), count: 1_000_000)) == [fault])
        let comment = String(repeating: "#", count: NodeConfiguration.maximumFileSize - 3)
        #expect(findings("{}\n" + comment) == [])
        #expect(findings("{}\n" + comment + "#") == [fault])
    }

    @Test("is refused if it is cut off", arguments: 7..<36)
    func truncated(length: Int) {
        let yaml = #"node: {id: a, name: "b: c", groups: [d]}"#
        #expect(findings(yaml) == [])
        #expect(!findings(String(yaml.prefix(length))).isEmpty)
    }

    @Test("may have a byte order mark, Windows line ends and a document's marks")
    func harmless() {
        #expect(findings("\u{FEFF}---\r\nlog:\r\n  level: info\r\n...\r\n") == [])
    }
}
