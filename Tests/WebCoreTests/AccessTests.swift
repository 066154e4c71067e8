internal import Testing
internal import TimerEngine
internal import TimerProtocol
internal import WebCore

@Suite("PIN attempts")
struct PINAttemptsTests {
    private func instant(_ seconds: Double) -> Instant {
        .init(sinceEpoch: .milliseconds(Int(seconds * 1000)))
    }

    @Test("are limited to five wrong ones from an address in a minute")
    func fromOneAddress() {
        var attempts = PINAttempts()
        for second in 0..<5 { #expect(attempts.begin(from: "a", at: instant(Double(second))) == .after(.zero)) }
        #expect(attempts.begin(from: "a", at: instant(10)) == .refused(until: .seconds(50)))
        #expect(attempts.begin(from: "b", at: instant(10)) == .after(.zero))
        #expect(attempts.begin(from: "a", at: instant(59.9)) == .refused(until: .seconds(1)))
        #expect(attempts.begin(from: "a", at: instant(60)) == .after(.zero))
    }

    @Test("that are correct do not count as wrong, and many at once do not get around the limit")
    func rightOnes() {
        var attempts = PINAttempts()
        for _ in 0..<10 {
            #expect(attempts.begin(from: "a", at: instant(1)) == .after(.zero))
            attempts.succeed(from: "a", at: instant(1))
        }
        let verdicts = (0..<100).map { _ in attempts.begin(from: "a", at: instant(1)) }
        #expect(verdicts.count { $0 == .after(.zero) } == 5)
    }

    @Test("that are correct do not cancel the wrong ones from their network")
    func rightAmongWrong() {
        var attempts = PINAttempts()
        for _ in 0..<4 { #expect(attempts.begin(from: "a", at: instant(0)) == .after(.zero)) }
        #expect(attempts.begin(from: "a", at: instant(1)) == .after(.zero))
        attempts.succeed(from: "a", at: instant(1))
        #expect(attempts.begin(from: "a", at: instant(2)) == .after(.zero))
        #expect(attempts.begin(from: "a", at: instant(3)) == .refused(until: .seconds(57)))
    }

    @Test("that are correct are limited to twenty from an address in a minute")
    func manyRightOnes() {
        var attempts = PINAttempts()
        for _ in 0..<20 {
            #expect(attempts.begin(from: "a", at: instant(1)) == .after(.zero))
            attempts.succeed(from: "a", at: instant(1))
        }
        #expect(attempts.begin(from: "a", at: instant(11)) == .refused(until: .seconds(50)))
        #expect(attempts.begin(from: "b", at: instant(11)) == .after(.zero))
        #expect(attempts.begin(from: "a", at: instant(61)) == .after(.zero))
    }

    @Test("wait two seconds each after fifty wrong ones from everywhere, ten at a time")
    func fromEverywhere() {
        var attempts = PINAttempts()
        for number in 0..<50 { #expect(attempts.begin(from: "\(number)", at: instant(0)) == .after(.zero)) }
        for number in 50..<60 {
            #expect(attempts.begin(from: "\(number)", at: instant(1)) == .after(.seconds(2)))
        }
        #expect(attempts.begin(from: "60", at: instant(1)) == .refused(until: .seconds(2)))
        #expect(attempts.begin(from: "60", at: instant(3)) == .after(.seconds(2)))
        #expect(attempts.begin(from: "61", at: instant(70)) == .after(.zero))
    }

    @Test("from everywhere stay far below the rate that would find a PIN: six a second")
    func guesses() {
        var attempts = PINAttempts()
        var compared = 0
        // A hundred guesses a second from as many addresses, for ten minutes.
        for second in 0..<600 {
            for number in 0..<100 {
                if case .after = attempts.begin(from: "\(number)", at: instant(Double(second))) { compared += 1 }
            }
        }
        #expect(compared < 600 * 6)
    }

    /// Makes guesses from ever new addresses, as many as are compared, and more; calls `body` every ten seconds.
    ///
    /// - Returns: the number of compared guesses in each hour.
    private func guess(
        hours: Int, _ attempts: inout PINAttempts,
        _ body: (inout PINAttempts, Instant) -> Void = { _, _ in }
    ) -> [Int] {
        var compared = [Int](repeating: 0, count: hours)
        for step in 0..<hours * 360 {
            let now = instant(Double(step * 10))
            for number in 0..<11 {
                if case .after = attempts.begin(from: "\(step) \(number)", at: now) { compared[step / 360] += 1 }
            }
            body(&attempts, now)
        }
        return compared
    }

    @Test("from everywhere become fewer with each hour, down to one in half a minute, and are reported once an hour")
    func hoursOfGuesses() {
        var attempts = PINAttempts()
        var told: [Int] = []
        let compared = guess(hours: 12, &attempts) { if let count = $0.guesses(at: $1) { told.append(count) } }
        #expect(zip(compared, compared.dropFirst()).prefix(4).allSatisfy { $0 > $1 }, "\(compared)")
        #expect(compared[6...].allSatisfy { $0 <= 3600 / 32 }, "\(compared)")
        #expect(told.count == 12 && told.allSatisfy { $0 >= PINAttempts.totalPerHour }, "\(told)")
        // It takes as many quiet hours to return to normal.
        let (end, wait) = (Double(12 * 3600), PINAttempts.delay * (1 << PINAttempts.highestLevel))
        #expect(attempts.begin(from: "late", at: instant(end)) == .after(wait))
        #expect(attempts.begin(from: "later", at: instant(end + 3 * 3600)) == .after(.seconds(4)))
        #expect(attempts.begin(from: "at last", at: instant(end + 5 * 3600)) == .after(.zero))
        #expect(attempts.guesses(at: instant(end + 5 * 3600)) == nil)
    }

    @Test("from a network that has a session are admitted and wait two seconds, however long the guessing lasts")
    func places() {
        var attempts = PINAttempts()
        attempts.keepPlace(for: "hall", at: instant(0))
        var verdicts: [PINAttempts.Verdict] = []
        var hall = 0
        _ = guess(hours: 6, &attempts) { attempts, now in
            hall += 1
            if hall.isMultiple(of: 60) {
                verdicts.append(attempts.begin(from: "hall", at: now))
                attempts.succeed(from: "hall", at: now)
            }
        }
        #expect(verdicts.dropFirst().allSatisfy { $0 == .after(.seconds(2)) }, "\(verdicts)")
        #expect(verdicts.count == 36)
    }
}

@Suite("A session's ticket")
struct SessionTicketTests {
    private let ticket = SessionTicket(role: .remote, expires: 1_800_000_000, generation: 3, id: "abc")

    @Test("is written as a string, and read back")
    func text() {
        #expect(ticket.text == "remote.1800000000.3.abc")
        #expect(SessionTicket(ticket.text) == ticket)
    }

    @Test(
        "is not read from any other text",
        arguments: ["", "remote", "remote.1.2", "remote.1.2.", "admin.1.2.x", "remote.x.2.y", "a.b.c.d.e"])
    func refused(text: String) { #expect(SessionTicket(text) == nil) }
}

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

@Suite("The API document")
struct OpenAPITests {
    @Test("refers only to schemas that it defines, and gives each address its own name")
    func references() {
        let text = OpenAPI.document(version: "1", server: "..").text
        for match in text.matches(of: /"#\/components\/schemas\/([A-Za-z]+)"/) {
            #expect(text.contains("\"\(match.1)\":{\"type\":\"object\""))
        }
        let names = text.matches(of: /"operationId":"([a-z_]+)"/).map { String($0.1) }
        #expect(names.count == APIRoute.allCases.count)
        #expect(Set(names).count == names.count, "\(names)")
    }

    @Test(
        "knows the methods of an address",
        arguments: [
            ("/api/session", ["GET", "POST", "DELETE"]), ("/api/nodes/lectern", ["GET"]),
            ("/n/lectern", ["GET", "HEAD"]),
            ("/api/nodes/lectern/commands/start", ["POST"]), ("/api/x", []), ("/x", []),
        ])
    func methods(path: String, methods: [String]) { #expect(APIRoute.methods(at: path) == methods) }
}
