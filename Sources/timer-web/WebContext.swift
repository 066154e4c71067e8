internal import BrokerLink
internal import Hummingbird
internal import NIOCore
internal import TimerProtocol
internal import WebCore

/// What a request carries through the server.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Who sends it; the middleware for access sets it. Nil for nobody: see
    /// ``AccessControl/identity(bearer:session:views:)``.
    var identity: Identity?
    /// Where it comes from, if proxies are in between; the middleware for access sets it.
    var origin: ForwardedRequest?
    /// The connection.
    let channel: any Channel
    /// The address of the other end of the connection.
    let peer: SocketAddress?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        peer = source.channel.remoteAddress
    }

    /// The address of the client, as far as proxies tell it.
    var address: String { origin?.client?.description ?? peer?.ipAddress ?? "" }

    /// What counts as one household: see ``IPAddress/network``.
    var network: String { origin?.client?.network ?? address }

    /// Who sends the request.
    ///
    /// - Parameter role: the least role that may.
    func requireIdentity(_ role: Role = .viewer) throws(APIError) -> Identity {
        guard let identity else { throw .unauthorized }
        guard identity.role >= role else {
            if identity.grant == nil { throw .unauthorized }
            throw APIError(.forbidden, "forbidden", "this needs the role \(role.rawValue)")
        }
        return identity
    }
}
