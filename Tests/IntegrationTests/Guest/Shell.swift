import Glibc

/// Runs shell commands.
enum Shell {
    /// What a command wrote to both streams, and how it ended.
    struct Result: Hashable, Sendable {
        var output: String
        /// The exit status; 128 and the signal's number where a signal ended it.
        var status: Int32
    }

    /// A command could not be started.
    struct Failure: Error {
        /// The system's error number.
        let code: Int32
    }

    /// Runs a command line to its end, with no input.
    static func run(_ commandLine: String) throws(Failure) -> Result {
        // Not a pipe, which would stay open for as long as any child of any test that inherited it.
        guard let file = unsafe tmpfile() else { throw Failure(code: errno) }
        defer { unsafe fclose(file) }
        let status = try BackgroundProcess(commandLine, output: unsafe fileno(file)).wait()
        unsafe rewind(file)
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = unsafe fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { break }
            output += buffer[..<count]
        }
        return Result(output: String(decoding: output, as: UTF8.self), status: status)
    }

    /// A word as the shell reads it back.
    static func quote(_ word: String) -> String {
        "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
