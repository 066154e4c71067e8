internal import Synchronization
internal import TimerProtocol
internal import WebCore

/// The displays that are open.
final class DisplayRegistry: Sendable {
    /// The list for somebody who may have it.
    func list(for identity: Identity) -> [UInt8] { Array(#"{"displays":[]}"#.utf8) }
}
