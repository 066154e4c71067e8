internal import TimerProtocol

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

    /// Why a file is refused.
    package struct Malformed: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// The key of the sessions' codes, in hexadecimal digits.
    package var key: String
    /// Counted up each time that the PINs are made anew, which ends the sessions of before.
    package var generation: Int
    /// Eight digits for each role, none the same.
    package var pins: [WebRole: String]
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
    package func hasEnded(_ ticket: SessionTicket) -> Bool {
        ticket.expires <= loggedOutUntil || loggedOut[ticket.id] != nil
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
    /// The document as the file has it.
    package var bytes: [UInt8] {
        let pins = WebRole.allCases.compactMap { role in
            self.pins[role].map { JSON.Member(key: role.rawValue, value: .string($0)) }
        }
        let tokens = tokens.map { token -> JSON in
            [
                "name": .string(token.name), "role": .string(token.role.rawValue),
                "nodes": token.nodes.map { .array($0.map(JSON.string)) } ?? .null, "hash": .string(token.hash),
            ]
        }
        let loggedOut = loggedOut.sorted { $0.key < $1.key }.map { JSON.Member(key: $0.key, value: .integer($0.value)) }
        let document: JSON = [
            "version": 1, "key": .string(key), "generation": .integer(generation), "pins": .object(pins),
            "tokens": .array(tokens), "logged_out": .object(loggedOut),
            "logged_out_until": .integer(loggedOutUntil),
        ]
        return document.bytes + [UInt8(ascii: "\n")]
    }

    /// A document from its file.
    ///
    /// - Throws: ``Malformed`` where it is no such document.
    package init(_ bytes: [UInt8]) throws(Malformed) {
        let json: JSON
        do throws(JSON.ParseError) { json = try JSON(parsing: bytes) } catch {
            throw Malformed(description: error.description)
        }
        guard json["version"] == 1, case .string(let key)? = json["key"], key.utf8.count == 64,
            case .integer(let generation)? = json["generation"], ClosedRange.counts.contains(generation),
            case .array(let tokens)? = json["tokens"]
        else { throw Malformed(description: "it is no such document, or one of a later version") }
        var pins: [WebRole: String] = [:]
        for role in WebRole.allCases {
            guard case .string(let pin)? = json["pins"]?[role.rawValue], PIN.isValid(pin) else {
                throw Malformed(description: "there is no PIN for the role \(role.rawValue)")
            }
            pins[role] = pin
        }
        var loggedOut: [String: Int] = [:]
        if case .object(let members)? = json["logged_out"] {
            for member in members { if case .integer(let expires) = member.value { loggedOut[member.key] = expires } }
        }
        var loggedOutUntil = 0
        if case .integer(let until)? = json["logged_out_until"] { loggedOutUntil = until }
        self.init(
            key: key, generation: generation, pins: pins, tokens: try tokens.map(Self.token), loggedOut: loggedOut,
            loggedOutUntil: loggedOutUntil)
    }

    private static func token(_ json: JSON) throws(Malformed) -> Token {
        guard case .string(let name)? = json["name"], case .string(let hash)? = json["hash"],
            case .string(let word)? = json["role"], let role = WebRole(rawValue: word)
        else { throw Malformed(description: "a token has no name, no role or no hash") }
        guard case .array(let nodes)? = json["nodes"] else {
            return Token(name: name, role: role, nodes: nil, hash: hash)
        }
        let ids = nodes.compactMap { if case .string(let id) = $0 { id } else { nil } }
        return Token(name: name, role: role, nodes: ids, hash: hash)
    }
}
