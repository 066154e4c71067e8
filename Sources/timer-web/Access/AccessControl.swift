internal import BrokerLink
internal import LinuxSystem
internal import NodeConfiguration
internal import NodePorts
internal import Synchronization
internal import TimerEngine
internal import TimerProtocol
internal import WebCore

/// Who may do what at this server: PINs, sessions and tokens.
final class AccessControl: Sendable {
    private struct State {
        var document: AccessDocument
        var attempts = PINAttempts()
    }

    let settings: WebConfiguration.Web
    private let file: AccessFile
    private let state: Mutex<State>
    /// Called after PINs or tokens have changed, and after somebody has logged out.
    private let listener = Mutex<@Sendable () -> Void>({})

    /// - Throws: ``StoreError`` where the file with the PINs can neither be read nor made.
    init(_ settings: WebConfiguration.Web, file: AccessFile) throws(StoreError) {
        self.settings = settings
        self.file = file
        state = Mutex(State(document: try file.load()))
    }

    /// What is wrong with the file's permissions; nil for nothing.
    var warning: String? { file.warning }

    /// Has a function called from now on whenever identities may have ended.
    func onChange(_ newListener: @escaping @Sendable () -> Void) { listener.withLock { $0 = newListener } }

    /// Reads the file again; what is wrong with it is returned.
    func reload() -> StoreError? {
        do throws(StoreError) {
            // Nobody changes the document in between. Without the file it stays as it was.
            try state.withLock { (state) throws(StoreError) in
                guard var document = try file.read() else { return }
                // A log-out may not have reached the file.
                document.logOut(as: state.document)
                state.document = document
            }
            listener.withLock { $0 }()
            return nil
        } catch { return error }
    }

    // MARK: - Who somebody is

    /// The nodes that exist for everybody; nil for all.
    private var nodes: Set<String>? { settings.nodes.map(Set.init) }

    /// Who somebody is who has proved nothing; nil where nobody may see anything.
    private var anybody: Identity? { settings.openRole.map { Identity(role: $0, proof: .none) } }

    /// Whether somebody is still who they were.
    func isCurrent(_ identity: Identity) -> Bool {
        state.withLock { state in
            switch identity.grant {
            case .session(let ticket): Self.isCurrent(ticket, state)
            case .tokens(let hashes): hashes.isSubset(of: state.document.tokens.map(\.hash))
            case nil: true
            }
        }
    }

    private static func isCurrent(_ ticket: SessionTicket, _ state: State) -> Bool {
        let now = WallClock.seconds
        return ticket.generation == state.document.generation && ticket.expires > now
            && !state.document.hasEnded(ticket, at: now)
    }

    /// Who sends a request with these credentials; nil where the token is unknown, or where nothing is proved and viewing is
    /// not open.
    func identity(bearer: String?, session: String?, views: [String]) -> Identity? {
        if let bearer { return token(bearer)?.limited(to: nodes) }
        let anybody = anybody
        if let ticket = session.flatMap(ticket), ticket.role >= anybody?.role ?? .viewer {
            return Identity(role: ticket.role, proof: .session, grant: .session(ticket)).limited(to: nodes)
        }
        return (anybody ?? viewer(views)).map { $0.limited(to: nodes) }
    }

    /// The session that a cookie stands for; nil where it is forged or over.
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
            Identity(
                role: token.role, proof: .token(token.name), nodes: token.nodes.map(Set.init),
                grant: .tokens(hashes: [hash]))
        }
    }

    // MARK: - Displays with a token

    /// The cookie that opens the display of one node for whoever has a token; nil where the token is not for it.
    func viewCookie(token text: String, node: String) -> String? {
        guard let identity = token(text)?.limited(to: nodes), identity.sees(node),
            case .tokens(let hashes)? = identity.grant, let hash = hashes.first
        else { return nil }
        let signer = CookieSigner(key: state.withLock { $0.document.key }, purpose: .view)
        return signer.cookie(for: "\(node).\(hash)")
    }

    /// A viewer of the nodes whose displays somebody has opened with a token.
    private func viewer(_ cookies: [String]) -> Identity? {
        let (key, tokens) = state.withLock { ($0.document.key, $0.document.tokens) }
        let signer = CookieSigner(key: key, purpose: .view)
        var viewer: (nodes: Set<String>, hashes: Set<String>, name: String)?
        for cookie in cookies.prefix(16) {
            guard let text = signer.text(of: cookie) else { continue }
            let parts = text.split(separator: ".").map(String.init)
            guard parts.count == 2, let token = tokens.first(where: { $0.hash == parts[1] }), token.opens(parts[0])
            else {
                continue
            }
            viewer = (
                (viewer?.nodes ?? []).union([parts[0]]), (viewer?.hashes ?? []).union([token.hash]), token.name
            )
        }
        return viewer.map {
            Identity(role: .viewer, proof: .token($0.name), nodes: $0.nodes, grant: .tokens(hashes: $0.hashes))
        }
    }
}

extension WebConfiguration.Web {
    /// What everybody may do without a proof; nil for nothing.
    var openRole: Role? { remote == .open ? .remote : view == .open ? .viewer : nil }

    /// Whether somebody gets a role by its PIN alone.
    func needsPIN(_ role: Role) -> Bool { openRole.map { role > $0 } ?? true }
}

// MARK: - Sessions

extension AccessControl {
    /// What becomes of somebody who types a PIN.
    enum Login: Sendable {
        case welcome(cookie: String, Identity)
        case wrong
        /// After so many seconds it may be tried again.
        case tooMany(retryAfter: Int)
    }

    /// Compares a PIN with those of all roles, each in the same time, where the address has not tried too often.
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
            let identity = Identity(role: role, proof: .session, grant: .session(ticket)).limited(to: nodes)
            return .welcome(cookie: cookie, identity)
        }
    }

    /// Lets a network that has a session log in again, however many guess PINs.
    func keepPlace(for network: String) { state.withLock { $0.attempts.keepPlace(for: network, at: .now) } }

    /// The number of failed attempts at a PIN in this hour: returned once an hour while somebody guesses, else nil.
    func guesses() -> Int? { state.withLock { $0.attempts.guesses(at: .now) } }

    /// Ends a session; what keeps it from being remembered over a restart is returned.
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
