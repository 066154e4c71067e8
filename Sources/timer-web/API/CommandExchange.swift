internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import Synchronization
internal import TimerClient
internal import TimerEngine
internal import TimerProtocol
internal import WebCore

/// A command sent over the web, and its response.
struct CommandExchange: Sendable {
    let live: Live
    let context: WebContext

    /// How long a node may take to respond. An MQTT 5 broker does not deliver the command later than that.
    private static let timeout: Duration = .seconds(5)

    /// Sends the command of a request, and returns the node's response.
    func execute(_ request: Request) async throws(APIError) -> [UInt8] {
        guard let id = context.parameters.get("id"), let name = context.parameters.get("verb"),
            let verb = Verb(rawValue: name)
        else { throw APIError(.notFound, "unknown_command", "there is no such command") }
        let identity = context.identity
        guard Identifier.isValid(id), identity?.sees(id) ?? true else { throw .notFound }
        let body = try await body(of: request)
        switch Permission.of(verb, body.fields, for: identity?.role) {
        case .unknown: throw APIError(.notFound, "unknown_command", "there is no such command")
        case .needs where identity?.grant == nil: throw .unauthorized
        case .needs(let role): throw APIError(.forbidden, "forbidden", "\(name) needs the role \(role.rawValue)")
        case .allowed: break
        }
        try limit(identity)
        let snapshot = live.hub.snapshot
        guard snapshot.isConnected else { throw Self.noBroker }
        guard let node = snapshot.nodes[id] else { throw .notFound }
        guard !node.isOffline else {
            throw APIError(.serviceUnavailable, "offline", "\(id) is offline; nothing was sent", retryAfter: 1)
        }
        let command = OutgoingCommand(
            id: body.id, to: .node(id), verb, payload: body.payload, timeout: Self.timeout)
        let result = await live.broker.execute(command)
        if verb == .runs { await live.runs.forget(id) }
        return try outcome(result, of: name, to: id)
    }

    private static let noBroker = APIError(
        .serviceUnavailable, "no_broker", "there is no connection to the broker; nothing was sent", retryAfter: 1)

    private func body(of request: Request) async throws(APIError) -> CommandBody {
        let bytes = try await request.bytes(upTo: CommandBody.largest)
        let type = request.headers[.contentType]?.split(separator: ";").first
        guard bytes.isEmpty || type?.lowercased() == "application/json" else { throw .notJSON }
        do throws(PayloadError) {
            return try CommandBody(bytes, newID: UUID().uuidString.lowercased())
        } catch { throw .invalidPayload(error.description) }
    }

    private func limit(_ identity: Identity?) throws(APIError) {
        guard live.commandLimits.withLock({ $0.take(identity, from: context.network, at: .now) }) else {
            throw APIError(.tooManyRequests, "too_many", "too many commands in one second", retryAfter: 1)
        }
    }

    private func outcome(_ result: CommandResult, of verb: String, to node: String) throws(APIError) -> [UInt8] {
        switch result {
        case .answered(let response, let payload):
            guard let refusal = response.refusal else { return payload }
            throw APIError(
                .init(code: refusal.code.httpStatus), refusal.code.rawValue, refusal.message, response: payload)
        case .rejected(let reason): throw APIError(.badGateway, "rejected", "the broker refused \(verb): \(reason)")
        case .notConnected: throw Self.noBroker
        case .timedOut:
            throw APIError(
                .gatewayTimeout, "no_response", "\(node) did not answer; it may have carried out the command")
        }
    }
}
