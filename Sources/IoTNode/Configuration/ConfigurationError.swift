/// Why a file is no configuration.
public enum ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file itself cannot be read.
    case unreadable(FileError)
    /// Something in it is wrong: all the faults, and the warnings, in the order of their lines.
    case faulty([ConfigurationFault])

    /// A line for each fault.
    public var description: String {
        switch self {
        case .unreadable(let error): error.description
        case .faulty(let faults): faults.map(\.description).joined(separator: "\n")
        }
    }
}
