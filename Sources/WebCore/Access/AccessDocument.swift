package import TimerProtocol

/// What the state directory holds: the PINs, the tokens, and the key of the sessions.
package struct AccessDocument: Hashable, Sendable {
    /// What a program or a kiosk shows in place of a PIN; only its hash is known.
    package struct Token: Hashable, Sendable {
        package private(set) var name = ""
        package private(set) var role: Role = .viewer
        /// The ids of the nodes that it is for; nil for all.
        package private(set) var nodes: [String]?
        /// SHA-256 of the token, in hexadecimal digits.
        package private(set) var hash = ""

        package init() {}

        package init(name: String, role: Role, nodes: [String]?, hash: String) {
            self.name = name
            self.role = role
            self.nodes = nodes
            self.hash = hash
        }

        /// Whether it opens the display of a node.
        package func opens(_ node: String) -> Bool { nodes?.contains(node) ?? true }
    }

    /// The key of the sessions' codes, in hexadecimal digits.
    package var key = ""
    /// Counted up each time that the PINs are made anew, which ends the sessions of before.
    package private(set) var generation = 0
    /// Eight digits for each role, none the same.
    package private(set) var pins: [Role: String] = [:]
    package var tokens: [Token] = []
    /// The sessions that somebody has ended, and when they would have ended by themselves, in Unix seconds.
    package private(set) var loggedOut: [String: Int] = [:]
    /// Where too many have ended: all sessions that would have ended by themselves until then are over, in Unix seconds.
    private var loggedOutUntil = 0

    package init() {}

    package init(
        key: String, generation: Int, pins: [Role: String], tokens: [Token] = [], loggedOut: [String: Int] = [:],
        loggedOutUntil: Int = 0
    ) {
        self.key = key
        self.generation = generation
        self.pins = pins
        self.tokens = tokens
        self.loggedOut = loggedOut
        self.loggedOutUntil = loggedOutUntil
    }

    /// Takes other PINs, which ends the sessions of before.
    ///
    /// - Returns: whether it did; it does not where the generation cannot be counted up any more.
    package mutating func renew(_ pins: [Role: String]) -> Bool {
        guard generation < ClosedRange.counts.upperBound else { return false }
        self.pins = pins
        generation += 1
        return true
    }

    /// So many ended sessions are remembered: whoever knows a PIN can log in and out as often as they like.
    package static let mostLoggedOut = 2000

    /// Ends a session for good, also where its cookie is kept. Where too many have ended, the oldest of all sessions end
    /// with them: none that somebody has ended begins again.
    ///
    /// - Parameter now: in Unix seconds; sessions that have ended by themselves are forgotten.
    package mutating func logOut(_ ticket: SessionTicket, at now: Int) {
        loggedOut = loggedOut.filter { $0.value > now }
        loggedOut[ticket.id] = ticket.expires
        forgetOldest()
    }

    /// Ends the sessions that another document knows to have ended.
    package mutating func logOut(as other: Self) {
        loggedOut.merge(other.loggedOut) { own, _ in own }
        loggedOutUntil = max(loggedOutUntil, other.loggedOutUntil)
        forgetOldest()
    }

    /// Whether somebody has ended a session.
    ///
    /// - Parameter now: in Unix seconds. No session lasts so long that all could be over until later than a lifetime from
    ///   now: a file that says so was made while the clock was wrong, and must not keep everybody out.
    package func hasEnded(_ ticket: SessionTicket, at now: Int) -> Bool {
        let areOver = ticket.expires <= loggedOutUntil && loggedOutUntil < now + SessionTicket.lifetime
        return areOver || loggedOut[ticket.id] != nil
    }

    private mutating func forgetOldest() {
        if loggedOut.count > Self.mostLoggedOut {
            let oldest = loggedOut.values.sorted()[loggedOut.count - Self.mostLoggedOut - 1]
            loggedOutUntil = max(loggedOutUntil, oldest)
        }
        loggedOut = loggedOut.filter { $0.value > loggedOutUntil }
    }
}

// MARK: - The file

extension AccessDocument: Record {
    private static let version = 1

    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        var version = Self.version
        try visitor.field("version", &version, Self.version...Self.version, "The form of the file.")
        try visitor.field("key", &key, .digest, "The key of the sessions' codes.")
        try visitor.field("generation", &generation, .counts, "Counted up each time that the PINs are made anew.")
        var pins = Pins(pins: pins)
        try visitor.field("pins", &pins, "A PIN for each role.")
        self.pins = pins.pins
        try visitor.field("tokens", &tokens, ListBounds(()), .usual, "The tokens of programs and kiosks.")
        try visitor.field("logged_out", &loggedOut, .any(.unixSeconds), .usual, "Sessions that somebody has ended.")
        try visitor.field(
            "logged_out_until", &loggedOutUntil, .unixSeconds, .usual, "All sessions until then are over.")
    }

    /// The document as the file has it.
    package var bytes: [UInt8] { json(capacity: 4096) + [UInt8(ascii: "\n")] }

    /// A document from its file.
    ///
    /// - Throws: ``PayloadError`` that names the field.
    package init(_ bytes: [UInt8]) throws(PayloadError) { self = try Self.read(bytes) }

    private struct Pins: Record {
        var pins: [Role: String] = [:]

        mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
            try visitor.field("viewer", &pins[.viewer, default: ""], .pin, "Who may look.")
            try visitor.field("remote", &pins[.remote, default: ""], .pin, "Who may use the remote.")
            try visitor.field("operator", &pins[.operator, default: ""], .pin, "Who may do everything.")
        }
    }
}

extension AccessDocument.Token: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("name", &name, .identifier, "The token's name.")
        try visitor.field("role", &role, "What it opens.")
        try visitor.field(
            "nodes", &nodes, ListBounds(.identifier, expected: "an array of texts"),
            "The nodes that it is for; null for all.")
        try visitor.field("hash", &hash, .digest, "SHA-256 of the token.")
    }
}

extension Role: ScalarValue {}

extension TextKind {
    /// A PIN.
    fileprivate static let pin = TextKind(expected: "\(PIN.length) digits") { PIN.isValid($0) ? nil : "another text" }

    /// 32 bytes in hexadecimal digits: a key, or the SHA-256 of a token.
    fileprivate static let digest = TextKind(expected: "64 hexadecimal digits") { text in
        let areDigits = text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        return areDigits && text.utf8.count == 64 ? nil : "another text"
    }
}

extension ClosedRange<Int> {
    /// The dates that a session may end at, in Unix seconds: up to the year 9999.
    fileprivate static var unixSeconds: Self { 0...253_402_300_799 }
}
