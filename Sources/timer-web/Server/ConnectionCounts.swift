internal import NIOCore
internal import Synchronization
internal import WebCore

/// How many connections each network has open, see ``IPAddress/network``.
final class ConnectionCounts: Sendable {
    /// A hall full of displays behind one router has a few each.
    static let perNetwork = 1000

    private let counts = Mutex<[String: Int]>([:])
    /// The proxies, whose connections are those of everybody.
    private let proxies: [IPNetwork]

    init(proxies: [IPNetwork]) { self.proxies = proxies }

    /// What a connection counts for; nil for a proxy's, and this machine's.
    func name(of address: SocketAddress?) -> String? {
        guard let peer = address?.ipAddress.flatMap({ IPAddress($0) }), !peer.isLoopback,
            !proxies.contains(where: { $0.contains(peer) })
        else { return nil }
        return peer.network
    }

    /// Takes a place; returns whether there was one.
    func take(_ name: String) -> Bool {
        counts.withLock { counts in
            guard counts[name, default: 0] < Self.perNetwork else { return false }
            counts[name, default: 0] += 1
            return true
        }
    }

    /// Gives a place back.
    func giveBack(_ name: String) {
        counts.withLock { counts in
            let left = counts[name, default: 0] - 1
            counts[name] = left > 0 ? left : nil
        }
    }
}
