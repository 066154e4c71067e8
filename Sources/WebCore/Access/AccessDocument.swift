package import TimerProtocol

/// The content of the file with the PINs, the tokens, and the signing key of the sessions.
package struct AccessDocument: Hashable, Sendable {
    /// A credential that a program or a kiosk presents instead of a PIN; only its hash is stored.
    package struct Token: Hashable, Sendable {
        package private(set) var name = ""
        package private(set) var role: Role = .viewer
        /// The ids of the nodes that the token is valid for; nil for all.
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

        /// Whether the token opens the display of a node.
        package func opens(_ node: String) -> Bool { nodes?.contains(node) ?? true }
    }

    /// The key that signs session cookies, in hexadecimal digits.
    package var key = ""
    /// Incremented each time new PINs are generated, which ends all earlier sessions.
    package private(set) var generation = 0
    /// Eight digits for each role, no two the same.
    package private(set) var pins: [Role: String] = [:]
    package var tokens: [Token] = []
    /// The sessions that were logged out, each with the time at which it would have expired anyway, in Unix seconds.
    package private(set) var loggedOut: [String: Int] = [:]
    /// Set once too many sessions have been logged out: every session that expires at or before this time is invalid.
    /// In Unix seconds.
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

    /// Replaces the PINs, which ends all earlier sessions.
    ///
    /// - Returns: false if the generation cannot be incremented any further, and nothing was changed.
    package mutating func renew(_ pins: [Role: String]) -> Bool {
        guard generation < ClosedRange.counts.upperBound else { return false }
        self.pins = pins
        generation += 1
        return true
    }

    /// The number of logged-out sessions that are remembered. It is limited because a client that knows a PIN can log
    /// in and out as often as it likes.
    package static let mostLoggedOut = 2000

    /// Ends a session for good, even for a browser that keeps its cookie. If too many sessions have been logged out,
    /// the oldest of all sessions end as well, so that no logged-out session becomes valid again.
    /// - Parameter now: in Unix seconds; sessions that have expired by then are forgotten.
    package mutating func logOut(_ ticket: SessionTicket, at now: Int) {
        loggedOut = loggedOut.filter { $0.value > now }
        loggedOut[ticket.id] = ticket.expires
        forgetOldest()
    }

    /// Also ends the sessions that were logged out in another document.
    package mutating func logOut(as other: Self) {
        loggedOut.merge(other.loggedOut) { own, _ in own }
        loggedOutUntil = max(loggedOutUntil, other.loggedOutUntil)
        forgetOldest()
    }

    /// Whether a session was logged out.
    ///
    /// - Parameter now: in Unix seconds. No session lasts longer than its lifetime, so the limit for all sessions is
    ///   never later than a lifetime from now. A file with a later limit was written while the clock was wrong, and
    ///   must not lock everybody out.
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
        try visitor.field("version", &version, Self.version...Self.version, "The version of the file format.")
        try visitor.field("key", &key, .digest, "The key that signs session cookies.")
        try visitor.field("generation", &generation, .counts, "Incremented each time that new PINs are generated.")
        var pins = Pins(pins: pins)
        try visitor.field("pins", &pins, "A PIN for each role.")
        self.pins = pins.pins
        try visitor.field("tokens", &tokens, ListBounds(()), .usual, "The tokens of programs and kiosks.")
        try visitor.field("logged_out", &loggedOut, .any(.unixSeconds), .usual, "Sessions that were logged out.")
        try visitor.field(
            "logged_out_until", &loggedOutUntil, .unixSeconds, .usual, "All sessions that expire by then are over.")
    }

    /// The content of the file.
    package var bytes: [UInt8] { json(capacity: 4096) + [UInt8(ascii: "\n")] }

    /// Reads a document from the content of its file.
    ///
    /// - Throws: ``PayloadError`` that names the field.
    package init(_ bytes: [UInt8]) throws(PayloadError) { self = try Self.read(bytes) }

    private struct Pins: Record {
        var pins: [Role: String] = [:]

        mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
            try visitor.field("viewer", &pins[.viewer, default: ""], .pin, "The viewers' PIN.")
            try visitor.field("remote", &pins[.remote, default: ""], .pin, "The PIN for the remote.")
            try visitor.field("operator", &pins[.operator, default: ""], .pin, "The operators' PIN.")
        }
    }
}

extension AccessDocument.Token: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("name", &name, .identifier, "The token's name.")
        try visitor.field("role", &role, "The role that it grants.")
        try visitor.field(
            "nodes", &nodes, ListBounds(.identifier, expected: "an array of strings"),
            "The nodes that it is valid for; null for all.")
        try visitor.field("hash", &hash, .digest, "SHA-256 of the token.")
    }
}

extension Role: ScalarValue {}

extension TextKind {
    /// A PIN.
    fileprivate static let pin = TextKind(expected: "\(PIN.length) digits") { PIN.isValid($0) ? nil : "other text" }

    /// 32 bytes in hexadecimal digits: a key, or the SHA-256 of a token.
    fileprivate static let digest = TextKind(expected: "64 hexadecimal digits") { text in
        let areDigits = text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        return areDigits && text.utf8.count == 64 ? nil : "other text"
    }
}

extension ClosedRange<Int> {
    /// The times at which a session may end, in Unix seconds: up to the year 9999.
    fileprivate static var unixSeconds: Self { 0...253_402_300_799 }
}
