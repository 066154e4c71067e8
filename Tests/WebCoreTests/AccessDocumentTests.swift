internal import Testing
internal import TimerProtocol
internal import WebCore

@Suite("The content of the state directory")
struct AccessDocumentTests {
    private let document = AccessDocument(
        key: String(repeating: "0a", count: 32), generation: 2,
        pins: [.viewer: "00000001", .remote: "12345678", .operator: "87654321"],
        tokens: [
            .init(name: "obs", role: .viewer, nodes: ["lectern"], hash: String(repeating: "a", count: 64)),
            .init(name: "companion", role: .remote, nodes: nil, hash: String(repeating: "b", count: 64)),
        ], loggedOut: ["abc": 1000])

    @Test("is written and read back")
    func roundTrip() throws { #expect(try AccessDocument(document.bytes) == document) }

    @Test(
        "is refused if it is damaged",
        arguments: [
            ("", ""), ("\"version\":1", "\"version\":2"), ("12345678", "1234567"), ("\"key\":\"0a", "\"key\":\"0"),
            ("viewer", "x"),
        ])
    func damaged(part: String, replacement: String) {
        let text = String(decoding: document.bytes, as: UTF8.self)
        let bytes = part.isEmpty ? [] : Array(text.replacing(part, with: replacement).utf8)
        #expect(throws: PayloadError.self) { try AccessDocument(bytes) }
    }

    @Test(
        "is refused if a value is invalid, and the reason names the field",
        arguments: [
            (#""nodes":["lectern"]"#, #""nodes":"lectern""#, "nodes: found \"lectern\", expected an array of strings"),
            (#""nodes":["lectern"]"#, #""nodes":[1]"#, "nodes[1]: found 1, expected \(Identifier.expected)"),
            (#""nodes":["lectern"]"#, #""nodes":["a b"]"#, "nodes[1]: found \"a b\", expected \(Identifier.expected)"),
            (#""hash":"a"#, #""hash":"x"#, "hash: found other text, expected 64 hexadecimal digits"),
            (#""role":"remote""#, #""role":"admin""#, "role: found \"admin\", expected viewer, remote or operator"),
            (#""generation":2"#, #""generation":9007199254740992"#, "from 0 to 9007199254740991"),
            (#""abc":1000"#, #""abc":"x""#, "logged_out.abc: found \"x\", expected a whole number"),
            (#""logged_out_until":0"#, #""logged_out_until":9223372036854775807"#, "\"logged_out_until\": found"),
        ])
    func impossible(part: String, replacement: String, reason: String) throws {
        let text = String(decoding: document.bytes, as: UTF8.self)
        try #require(text.contains(part))
        let error = #expect(throws: PayloadError.self) {
            try AccessDocument(Array(text.replacing(part, with: replacement).utf8))
        }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test("has sessions that end up to the year 9999, and none later")
    func lastSecond() throws {
        func document(until second: Int) -> AccessDocument {
            AccessDocument(
                key: self.document.key, generation: 2, pins: self.document.pins, loggedOut: ["abc": second],
                loggedOutUntil: second)
        }
        let last = document(until: 253_402_300_799)
        #expect(try AccessDocument(last.bytes) == last)
        let later = document(until: 253_402_300_800)
        #expect(throws: PayloadError.self) { try AccessDocument(later.bytes) }
    }

    @Test("is for every node if a token names none")
    func everyNode() throws {
        let text = String(decoding: document.bytes, as: UTF8.self)
        for nodes in [#""nodes":null,"#, ""] {
            let changed = text.replacing(#""nodes":["lectern"],"#, with: nodes)
            #expect(try AccessDocument(Array(changed.utf8)).tokens[0].nodes == nil)
        }
    }

    @Test("takes new PINs, but not if the generation would exceed what a file may have")
    func generations() throws {
        var document = AccessDocument(
            key: String(repeating: "0a", count: 32), generation: 9_007_199_254_740_990, pins: document.pins)
        let pins: [Role: String] = [.viewer: "00000002", .remote: "00000003", .operator: "00000004"]
        let isRenewed = document.renew(pins)
        #expect(isRenewed && document.pins == pins)
        let last = try AccessDocument(document.bytes)
        let isRenewedAgain = document.renew([:])
        #expect(!isRenewedAgain && document == last)
    }

    @Test("lets users in again after the clock was ahead when too many sessions ended")
    func clockAhead() throws {
        let (now, year) = (1_000_000, 365 * 86_400)
        var document = document
        for number in 0...AccessDocument.mostLoggedOut {
            document.logOut(
                SessionTicket(role: .remote, expires: now + year + 1 + number, generation: 2, id: "\(number)"),
                at: now + year)
        }
        let ticket = SessionTicket(role: .remote, expires: now + SessionTicket.lifetime, generation: 2, id: "new")
        #expect(!document.hasEnded(ticket, at: now))
        #expect(document.hasEnded(ticket, at: now + year), "while the clock is ahead")
    }

    @Test("remembers logged-out sessions for as long as they would have lasted")
    func loggedOut() {
        var document = document
        document.logOut(SessionTicket(role: .remote, expires: 2000, generation: 2, id: "def"), at: 999)
        #expect(document.loggedOut == ["abc": 1000, "def": 2000])
        document.logOut(SessionTicket(role: .remote, expires: 2001, generation: 2, id: "ghi"), at: 1000)
        #expect(document.loggedOut == ["def": 2000, "ghi": 2001])
        // However often a client logs in and out, the file stays small.
        for number in 1...AccessDocument.mostLoggedOut {
            document.logOut(
                SessionTicket(role: .remote, expires: 3000 + number, generation: 2, id: "\(number)"), at: 1000)
        }
        #expect(document.loggedOut.count == AccessDocument.mostLoggedOut)
    }

    @Test("ends the oldest sessions if too many have ended, and revives none")
    func manyLoggedOut() throws {
        var document = document
        func ticket(_ id: String, expires: Int) -> SessionTicket {
            SessionTicket(role: .remote, expires: expires, generation: 2, id: id)
        }
        let first = ticket("first", expires: 2000)
        document.logOut(first, at: 1000)
        #expect(document.hasEnded(first, at: 1000))
        #expect(!document.hasEnded(ticket("older", expires: 1999), at: 1000))
        for number in 1...AccessDocument.mostLoggedOut + 10 {
            document.logOut(ticket("\(number)", expires: 3000 + number), at: 1000)
        }
        #expect(document.loggedOut.count == AccessDocument.mostLoggedOut)
        #expect(document.hasEnded(first, at: 1000))
        #expect(document.hasEnded(ticket("3", expires: 3003), at: 1000))
        #expect(document.hasEnded(ticket("older", expires: 1999), at: 1000))
        #expect(!document.hasEnded(ticket("newer", expires: 9000), at: 1000))
        // This also holds after a restart, and for a process that read the file earlier.
        let read = try AccessDocument(document.bytes)
        #expect(read == document)
        var other = self.document
        other.logOut(as: document)
        #expect(other.hasEnded(first, at: 1000) && other.hasEnded(ticket("older", expires: 1999), at: 1000))
        #expect(other.loggedOut.count <= AccessDocument.mostLoggedOut)
    }

    @Test("has PINs of eight digits, no two the same")
    func pins() {
        var numbers: [UInt64] = [7, 100_000_007, 7, 99_999_999, 12]
        let pins = PIN.each { numbers.removeFirst() }
        #expect(pins == [.viewer: "00000007", .remote: "99999999", .operator: "00000012"])
    }
}
