internal import ArgumentParser

/// The exit codes from sysexits.h that this program uses; ArgumentParser exits with 64 for a wrong command line.
extension ExitCode {
    /// A required service is unavailable.
    static let unavailable = ExitCode(69)
    /// The system refuses something essential, such as a descriptor.
    static let `internal` = ExitCode(70)
    /// A file could not be read or written.
    static let io = ExitCode(74)
    /// The configuration has faults.
    static let configuration = ExitCode(78)
}
