internal import BrokerLink
internal import LinuxSystem
internal import NodeConfiguration
internal import NodePorts
internal import Synchronization
internal import TimerEngine
internal import TimerProtocol
internal import WebCore

/// Controls access to this server by PINs, sessions and tokens.
final class AccessControl: Sendable {
    private struct State {
        var document: AccessDocument
        var attempts = PINAttempts()
    }

    let settings: WebConfiguration.Web
    private let file: AccessFile
    private let state: Mutex<State>
    /// Called after PINs or tokens have changed, and after a client has logged out.
    private let listener = Mutex<@Sendable () -> Void>({})

    /// - Throws: ``StoreError`` if the file with the PINs can neither be read nor created.
    init(_ settings: WebConfiguration.Web, file: AccessFile) throws(StoreError) {
        self.settings = settings
        self.file = file
        state = Mutex(State(document: try file.load()))
    }

    /// The problem with the file's permissions; nil if they are safe.
    var warning: String? { file.warning }

    /// Sets the function to call whenever identities may have become invalid.
    func onChange(_ newListener: @escaping @Sendable () -> Void) { listener.withLock { $0 = newListener } }

    /// Reads the file again; returns the error if that fails.
    func reload() -> StoreError? {
        do throws(StoreError) {
            // The lock keeps the document from changing meanwhile. If there is no file, the document stays as it was.
            try state.withLock { (state) throws(StoreError) in
                guard var document = try file.read() else { return }
                // A logout may not have been written to the file.
                document.logOut(as: state.document)
                state.document = document
            }
            listener.withLock { $0 }()
            return nil
        } catch { return error }
    }

    // MARK: - Identities

    /// The ids of the nodes that this server shows; nil for all nodes on the broker.
    private var nodes: Set<String>? { settings.nodes.map(Set.init) }

    /// The identity of a client without credentials; nil if such a client may see nothing.
    private var anybody: Identity? { settings.openRole.map { Identity(role: $0) } }

    /// Whether an identity is still valid.
    func isCurrent(_ identity: Identity) -> Bool {
        state.withLock { state in
            switch identity.grant {
            case .session(let ticket): Self.isCurrent(ticket, state)
            case .tokens(let hashes): hashes.isSubset(of: state.document.tokens.map(\.hash))
            case .proxy, nil: true
            }
        }
    }

    private static func isCurrent(_ ticket: SessionTicket, _ state: State) -> Bool {
        let now = WallClock.seconds
        return ticket.generation == state.document.generation && ticket.expires > now
            && !state.document.hasEnded(ticket, at: now)
    }

    /// Returns the client with these credentials; nil if the token is unknown, or if there are no credentials and
    /// viewing is not open.
    ///
    /// - Parameter peer: the other end of the connection.
    func identity(from peer: IPAddress?, bearer: String?, session: String?, views: [String]) -> Identity? {
        if let bearer { return token(bearer)?.limited(to: nodes) }
        if settings.isAuthenticating(peer) {
            return Identity(role: .operator, grant: .proxy).limited(to: nodes)
        }
        let anybody = anybody
        if let ticket = session.flatMap(ticket), ticket.role >= anybody?.role ?? .viewer {
            return Identity(role: ticket.role, grant: .session(ticket)).limited(to: nodes)
        }
        return (anybody ?? viewer(views)).map { $0.limited(to: nodes) }
    }

    /// The session of a cookie; nil if the cookie is forged or has expired.
    private func ticket(_ cookie: String) -> SessionTicket? {
        state.withLock { state in
            let signer = CookieSigner(key: state.document.key, purpose: .session)
            let ticket = signer.text(of: cookie).flatMap { SessionTicket($0) }
            return ticket.flatMap { Self.isCurrent($0, state) ? $0 : nil }
        }
    }

    private func token(_ text: String) -> Identity? {
        let hash = Crypto.hash(ofToken: text)
        return state.withLock { $0.document.tokens.first { $0.hash == hash } }.map { token in
            Identity(role: token.role, nodes: token.nodes.map(Set.init), grant: .tokens(hashes: [hash]))
        }
    }

    // MARK: - Displays with a token

    /// The cookie that opens the display of one node for the holder of a token; nil if the token is not valid for that
    /// node.
    func viewCookie(token text: String, node: String) -> String? {
        guard let identity = token(text)?.limited(to: nodes), identity.sees(node),
            case .tokens(let hashes)? = identity.grant, let hash = hashes.first
        else { return nil }
        let signer = CookieSigner(key: state.withLock { $0.document.key }, purpose: .view)
        return signer.cookie(for: "\(node).\(hash)")
    }

    /// The identity of a viewer of the nodes whose displays this browser has opened with a token.
    private func viewer(_ cookies: [String]) -> Identity? {
        let (key, tokens) = state.withLock { ($0.document.key, $0.document.tokens) }
        let signer = CookieSigner(key: key, purpose: .view)
        var (nodes, hashes): (Set<String>, Set<String>) = ([], [])
        for cookie in cookies.prefix(16) {
            guard let text = signer.text(of: cookie) else { continue }
            let parts = text.split(separator: ".").map(String.init)
            guard parts.count == 2, let token = tokens.first(where: { $0.hash == parts[1] }), token.opens(parts[0])
            else { continue }
            nodes.insert(parts[0])
            hashes.insert(token.hash)
        }
        return nodes.isEmpty ? nil : Identity(role: .viewer, nodes: nodes, grant: .tokens(hashes: hashes))
    }
}

extension WebConfiguration.Web {
    /// The role of clients without credentials; nil for none.
    var openRole: Role? { remote == .open ? .remote : view == .open ? .viewer : nil }

    /// Whether a role can only be obtained with its PIN.
    func needsPIN(_ role: Role) -> Bool { openRole.map { role > $0 } ?? true }
}

// MARK: - Sessions

extension AccessControl {
    /// The result of an attempt to log in.
    enum Login: Sendable {
        case welcome(cookie: String, Identity)
        case wrong
        /// The client may try again after this many seconds.
        case tooMany(retryAfter: Int)
    }

    /// Compares a PIN with those of all roles in constant time, unless the network has tried too often.
    func logIn(_ pin: String, from network: String) async throws -> Login {
        switch state.withLock({ $0.attempts.begin(from: network, at: .now) }) {
        case .refused(let wait): return .tooMany(retryAfter: Int(wait.components.seconds) + 1)
        case .after(.zero): break
        case .after(let delay): try await Task.sleep(for: delay)
        }
        let id = Crypto.hexadecimal(Crypto.random(12) ?? [])
        return state.withLock { state -> Login in
            let matches = Role.allCases.filter { Crypto.areEqual(state.document.pins[$0] ?? "", pin) }
            guard let role = matches.last, !id.isEmpty else { return .wrong }
            state.attempts.succeed(from: network, at: .now)
            let ticket = SessionTicket(
                role: role, expires: WallClock.seconds + SessionTicket.lifetime, generation: state.document.generation,
                id: id)
            let cookie = CookieSigner(key: state.document.key, purpose: .session).cookie(for: ticket.text)
            let identity = Identity(role: role, grant: .session(ticket)).limited(to: nodes)
            return .welcome(cookie: cookie, identity)
        }
    }

    /// Lets a network that has a session log in again, even while other networks are guessing PINs.
    func keepPlace(for network: String) { state.withLock { $0.attempts.keepPlace(for: network, at: .now) } }

    /// Returns the number of failed PIN attempts in this hour: once an hour while PINs are being guessed, otherwise
    /// nil.
    func guesses() -> Int? { state.withLock { $0.attempts.guesses(at: .now) } }

    /// Ends a session; returns the error if this could not be saved, in which case a restart forgets it.
    func logOut(_ identity: Identity) -> StoreError? {
        guard case .session(let ticket)? = identity.grant else { return nil }
        let now = WallClock.seconds
        state.withLock { $0.document.logOut(ticket, at: now) }
        listener.withLock { $0 }()
        do throws(StoreError) {
            try file.update { $0.logOut(ticket, at: now) }
            return nil
        } catch { return error }
    }
}
