package import BrokerLink
internal import Glibc
internal import LinuxSystem
package import TimerEngine

/// Reports when a GPIO chip appears or disappears, or its permissions change, by watching `/dev`.
///
/// Changes that it cannot see, as in a container, are noticed at the next write or the next retry.
package final class ChipWatch: EventSource {
    // udev sets the group shortly after the device appears, which is IN_ATTRIB.
    private static let kinds = IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_ATTRIB

    private let watch: FolderWatch

    /// Watches a folder of devices.
    /// - Returns: nil if the system has no watch left.
    package init?(folder: String = "/dev") {
        guard let watch = try? FolderWatch(folder, for: Int32(Self.kinds)) else { return nil }
        self.watch = watch
    }

    /// Readable when the folder has changed.
    package var interests: [Interest] { [Interest(descriptor: watch.number, events: .read)] }

    /// One for each change, so that a chip that went and came back is released and requested again.
    package func takeEvents(ready: [Interest], at now: Instant) -> [Void] {
        guard !ready.isEmpty else { return [] }
        var news: [Void] = []
        while let changes = watch.changes(), !changes.isEmpty {
            // An empty name means that changes were lost.
            news += changes.filter { $0.name.isEmpty || $0.name.hasPrefix("gpiochip") }.map { _ in }
        }
        return news
    }
}
