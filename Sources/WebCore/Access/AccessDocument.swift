package import TimerProtocol

/// What the state directory holds: the PINs, the tokens, and the key of the sessions.
package struct AccessDocument: Hashable, Sendable {
    /// What a program or a kiosk shows in place of a PIN; only its hash is known.
    package struct Token: Hashable, Sendable {
        package let name: String
        package let role: WebRole
        /// The ids of the nodes that it is for; nil for all.
        package let nodes: [String]?
        /// SHA-256 of the token, in hexadecimal digits.
        package let hash: String

        package init(name: String, role: WebRole, nodes: [String]?, hash: String) {
            self.name = name
            self.role = role
            self.nodes = nodes
            self.hash = hash
        }

        /// Whether it opens the display of a node.
        package func opens(_ node: String) -> Bool { nodes?.contains(node) ?? true }
    }

    /// The key of the sessions' codes, in hexadecimal digits.
    package var key: String
    /// Counted up each time that the PINs are made anew, which ends the sessions of before.
    package private(set) var generation: Int
    /// Eight digits for each role, none the same.
    package private(set) var pins: [WebRole: String]
    package var tokens: [Token]
    /// The sessions that somebody has ended, and when they would have ended by themselves, in Unix seconds.
    package private(set) var loggedOut: [String: Int]
    /// Where too many have ended: all sessions that would have ended by themselves until then are over, in Unix seconds.
    private var loggedOutUntil: Int

    package init(
        key: String, generation: Int, pins: [WebRole: String], tokens: [Token] = [], loggedOut: [String: Int] = [:],
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
    package mutating func renew(_ pins: [WebRole: String]) -> Bool {
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

extension AccessDocument {
    private static let version = 1

    /// The keys that no message of a node has.
    fileprivate enum Key {
        static let generation: JSONKey = "generation"
        static let hash: JSONKey = "hash"
        static let key: JSONKey = "key"
        static let loggedOut: JSONKey = "logged_out"
        static let loggedOutUntil: JSONKey = "logged_out_until"
        static let nodes: JSONKey = "nodes"
        static let pins: JSONKey = "pins"
        static let role: JSONKey = "role"
        static let tokens: JSONKey = "tokens"
    }

    /// The document as the file has it.
    package var bytes: [UInt8] {
        var writer = JSONWriter(capacity: 4096)
        writer.object { writer in
            writer.member(.version, Self.version)
            writer.member(Key.key, key)
            writer.member(Key.generation, generation)
            writer.member(Key.pins) { writer in
                for role in WebRole.allCases { writer.member(JSONKey(role.rawValue), pins[role]) }
            }
            writer.key(Key.tokens)
            writer.array(tokens) { writer, token in writer.object { token.write(to: &$0) } }
            writer.member(Key.loggedOut) { writer in
                for (id, expires) in loggedOut.sorted(by: { $0.key < $1.key }) { writer.member(JSONKey(id), expires) }
            }
            writer.member(Key.loggedOutUntil, loggedOutUntil)
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// A document from its file.
    ///
    /// - Throws: ``PayloadError`` that names the field.
    package init(_ bytes: [UInt8]) throws(PayloadError) {
        self = try PayloadFields.read(bytes) { (fields) throws(Refusal) in
            _ = try fields.required(.version, in: Self.version...Self.version)
            var pins = try fields.requiredObject(Key.pins)
            var pinsOfRoles: [WebRole: String] = [:]
            for role in WebRole.allCases { pinsOfRoles[role] = try pins.required(JSONKey(role.rawValue), .pin) }
            var tokens: [Token] = []
            for token in try fields.objects(Key.tokens.name) ?? [] { tokens.append(try Token(token)) }
            return Self(
                key: try fields.required(Key.key, .digest),
                generation: try fields.required(Key.generation, in: .counts),
                pins: pinsOfRoles, tokens: tokens, loggedOut: try Self.loggedOut(&fields),
                loggedOutUntil: try fields.optional(Key.loggedOutUntil, in: .unixSeconds) ?? 0)
        }
    }

    private static func loggedOut(_ fields: inout PayloadFields) throws(Refusal) -> [String: Int] {
        guard var sessions = try fields.object(Key.loggedOut.name) else { return [:] }
        var loggedOut: [String: Int] = [:]
        for id in sessions.names { loggedOut[id] = try sessions.required(JSONKey(id), in: .unixSeconds) }
        return loggedOut
    }
}

extension AccessDocument.Token {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member(.name, name)
        writer.member(AccessDocument.Key.role, role.rawValue)
        writer.key(AccessDocument.Key.nodes)
        if let nodes { writer.array(nodes) { $0.value($1) } } else { writer.null() }
        writer.member(AccessDocument.Key.hash, hash)
    }

    fileprivate init(_ fields: PayloadFields) throws(Refusal) {
        var fields = fields
        self.init(
            name: try fields.required(.name, .identifier), role: try fields.required(AccessDocument.Key.role),
            nodes: try fields.texts(AccessDocument.Key.nodes, .identifier),
            hash: try fields.required(AccessDocument.Key.hash, .digest))
    }
}

extension WebRole: FieldValue {}

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
