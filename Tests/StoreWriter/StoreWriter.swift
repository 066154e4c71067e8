import Glibc
import LinuxSystem
import TestSupport

/// store-writer FOLDER NUMBER: saves numbered documents, starting with NUMBER, and prints the number of each one once
/// it is saved, until it is killed.
///
/// store-writer --runs FOLDER NUMBER: makes a node play runs, and prints the id of each run whose beginning is saved.
@main
enum StoreWriter {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let (playsRuns, words) = (arguments.first == "--runs", arguments.filter { $0 != "--runs" })
        let (store, first) = (FileStore(directory: words[0]), Int(words[1]) ?? 0)
        if playsRuns { return try RunWriter.play(store, process: first) }
        for number in first... {
            try store.save(NumberedDocument.bytes(number))
            tell("\(number)")
        }
    }

    /// Writes a line at once; `print` would buffer it if the output is a pipe.
    static func tell(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = unsafe write(STDOUT_FILENO, bytes, bytes.count)
    }
}
