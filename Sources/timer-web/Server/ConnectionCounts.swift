internal import BrokerLink
internal import LinuxSystem
internal import NIOCore
internal import Synchronization
internal import WebCore

/// The connections that are open.
final class ConnectionCounts: Sendable {
    /// A connection that is counted.
    struct Place: Sendable {
        let purpose: ConnectionLimits.Purpose
        fileprivate let network: String?
    }

    private let limits: Mutex<ConnectionLimits>
    /// The proxies, whose connections are those of everybody.
    private let proxies: [IPNetwork]

    init(proxies: [IPNetwork], descriptors: Int = DescriptorLimit.current) {
        self.proxies = proxies
        limits = Mutex(ConnectionLimits(descriptors: descriptors, used: DescriptorLimit.used))
    }

    /// Takes a place for a connection from an address; nil where there is none.
    func take(_ address: SocketAddress?) -> Place? {
        let peer = address?.ipAddress.flatMap { IPAddress($0) }
        let isOwn = peer?.isLoopback ?? false
        let isShared = isOwn || proxies.contains { proxy in peer.map(proxy.contains) ?? false }
        let network = isShared ? nil : peer?.network
        return limits.withLock { $0.take(network, isOwn: isOwn) }.map { Place(purpose: $0, network: network) }
    }

    /// Gives a place back.
    func giveBack(_ place: Place) { limits.withLock { $0.giveBack(place.network) } }
}
