import Glibc
import TestSupport

@testable import LinuxSystem

/// store-writer FOLDER NUMBER: saves numbered documents, from this number on, and tells of each once it is saved, until
/// it is killed.
@main
enum StoreWriter {
    static func main() throws {
        let store = FileStore(directory: CommandLine.arguments[1])
        for number in (Int(CommandLine.arguments[2]) ?? 0)... {
            try store.save(NumberedDocument.bytes(number))
            // At once, which print does not into a pipe.
            let line = Array("\(number)\n".utf8)
            _ = unsafe write(STDOUT_FILENO, line, line.count)
        }
    }
}
