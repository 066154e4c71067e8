internal import Glibc
package import IoTNode
internal import LinuxSystem
package import TimerEngine

/// Tells when a GPIO chip comes or goes, or others may use it than before, from a watch on `/dev`.
///
/// What it cannot see, such as the device of a container, is found at the next write and the next try.
package final class ChipWatch: EventSource {
    private let watch: FileDescriptor

    /// Watches a folder of devices.
    ///
    /// - Parameter folder: where the chips' devices are.
    /// - Returns: nil where the system has no watch left.
    package init?(folder: String = "/dev") {
        watch = FileDescriptor(owning: inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)))
        interests = [Interest(descriptor: watch.number, events: .read)]
        // IN_ATTRIB: the group is set a moment after the device has come.
        let kinds = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_ATTRIB)
        guard unsafe inotify_add_watch(watch.number, folder, kinds | UInt32(IN_ONLYDIR)) >= 0 else { return nil }
    }

    /// The descriptor that becomes readable with a change in the folder.
    package let interests: [Interest]

    /// One ``NodeEvent/chipsChanged`` for each change, so that a chip that went and came is missed and found again.
    package func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] {
        guard !ready.isEmpty else { return [] }
        var events: [NodeEvent] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        // SAFETY: read() writes at most as many bytes as the array has.
        while case let count = unsafe read(watch.number, &buffer, buffer.count), count > 0 {
            events += Self.names(in: buffer[..<count]).filter { $0.isEmpty || $0.hasPrefix("gpiochip") }
                .map { _ in .chipsChanged }
        }
        return events
    }

    /// The names in what the kernel wrote; an empty one where it lost count of the changes.
    private static func names(in bytes: ArraySlice<UInt8>) -> [String] {
        var names: [String] = []
        var rest = bytes
        let header = MemoryLayout<inotify_event>.size
        while rest.count >= header {
            // SAFETY: the struct is made of integers alone, and as many bytes are there.
            let event = unsafe rest.withUnsafeBytes { unsafe $0.loadUnaligned(as: inotify_event.self) }
            names.append(
                String(decoding: rest.dropFirst(header).prefix(Int(event.len)).prefix { $0 != 0 }, as: UTF8.self))
            rest = rest.dropFirst(header + Int(event.len))
        }
        return names
    }
}
