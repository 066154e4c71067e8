internal import ArgumentParser

/// The exit codes of sysexits.h that this program uses; 64, for a wrong command line, comes from ArgumentParser.
extension ExitCode {
    /// A service that is needed cannot be reached.
    static let unavailable = ExitCode(69)
    /// The system refuses what the program cannot do without, such as a descriptor.
    static let `internal` = ExitCode(70)
    /// A file could not be read or written.
    static let io = ExitCode(74)
    /// The configuration is faulty.
    static let configuration = ExitCode(78)
}
