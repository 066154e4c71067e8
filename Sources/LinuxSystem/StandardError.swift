internal import FoundationEssentials
internal import Glibc
internal import NodeConfiguration
internal import TimerProtocol

/// Standard error as a target for `print`.
package struct StandardError: TextOutputStream {
    package init() {}

    /// Writes a text; if that fails the text is lost, because there is nowhere else to report it.
    package mutating func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            // SAFETY: write() reads as many bytes as the slice has.
            let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count > 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR { return }
        }
    }

    /// Prints the reasons of a failure, one per line, with an error priority if journald reads it.
    package static func say(_ fault: some CustomStringConvertible) {
        let isJournal = Journal.reads(standardErrorOf: ProcessInfo.processInfo.environment)
        var errors = Self()
        for line in fault.description.split(separator: "\n") {
            // A text may come from strangers, and a terminal would obey its control characters.
            errors.write((isJournal ? "<\(LogLevel.error.priority)>" : "") + String(line).terminalText + "\n")
        }
    }
}
