internal import Glibc
package import IoTNode
internal import LinuxSystem
package import TimerEngine

/// Reports when a GPIO chip appears or disappears, or its permissions change, by watching `/dev`.
///
/// Changes that it cannot see, as in a container, are noticed at the next write or the next retry.
package final class ChipWatch: EventSource {
    private let watch: FileDescriptor

    /// Watches a folder of devices.
    /// - Returns: nil if the system has no watch left.
    package init?(folder: String = "/dev") {
        watch = FileDescriptor(owning: inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)))
        interests = [Interest(descriptor: watch.number, events: .read)]
        // IN_ATTRIB: udev sets the group shortly after the device appears.
        let kinds = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_ATTRIB)
        guard unsafe inotify_add_watch(watch.number, folder, kinds | UInt32(IN_ONLYDIR)) >= 0 else { return nil }
    }

    /// Readable when the folder has changed.
    package let interests: [Interest]

    /// One ``NodeEvent/chipsChanged`` per change, so that a chip that went and came back is released and requested
    /// again.
    package func takeEvents(ready: [Interest], at now: Instant) -> [NodeEvent] {
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

    /// The file names in the kernel's event records; an empty name means that events were lost.
    private static func names(in bytes: ArraySlice<UInt8>) -> [String] {
        var names: [String] = []
        var rest = bytes
        let header = MemoryLayout<inotify_event>.size
        while rest.count >= header {
            // SAFETY: the struct consists of integers, and enough bytes are available.
            let event = unsafe rest.withUnsafeBytes { unsafe $0.loadUnaligned(as: inotify_event.self) }
            names.append(
                String(decoding: rest.dropFirst(header).prefix(Int(event.len)).prefix { $0 != 0 }, as: UTF8.self))
            rest = rest.dropFirst(header + Int(event.len))
        }
        return names
    }
}
