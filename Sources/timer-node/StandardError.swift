internal import FoundationEssentials
internal import Glibc
internal import IoTNode
internal import LinuxSystem

/// Standard error as a place to print to.
struct StandardError: TextOutputStream {
    /// Writes a text; what cannot be written is lost, as there is nowhere left to say so.
    mutating func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            // SAFETY: write() reads as many bytes as the slice has.
            let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count > 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR { return }
        }
    }

    /// Says what a command fails with, a line for each reason; with the priority of an error where journald reads it.
    static func say(_ fault: some CustomStringConvertible) {
        let isJournal = Journal.reads(standardErrorOf: ProcessInfo.processInfo.environment)
        var errors = Self()
        for line in fault.description.split(separator: "\n") {
            errors.write((isJournal ? "<\(LogLevel.error.priority)>" : "") + line + "\n")
        }
    }
}
