package import BrokerLink
internal import TimerProtocol

/// An error in a configuration, or something suspicious: the location, the key, the value found and the expected form.
///
/// As a string: `timer-node.yaml:12: mqtt.keepalive: found "soon", expected a duration …`.
package struct ConfigurationFault: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Severity: Hashable, Sendable {
        /// The configuration cannot be used.
        case fault
        /// The configuration can be used, but may not do what was intended.
        case warning
    }

    /// The location of a value.
    package enum Origin: Hashable, Sendable {
        /// A line of the file, counted from 1.
        case line(Int)
        /// An environment variable.
        case variable(String)

        /// The location, phrased for use in a sentence.
        var phrase: String {
            switch self {
            case .line(let line): "on line \(line)"
            case .variable(let name): "in \(name)"
            }
        }
    }

    package enum Problem: Hashable, Sendable {
        /// A value of the wrong form, or outside its range.
        case unexpected(found: String, expected: String)
        /// An unknown key or variable. The message names the nearest one, or lists all of them.
        case unknown(nearest: String?, known: [String])
        /// A key that occurs a second time.
        case duplicate(of: Origin)
        /// Anything else, in words.
        case other(String)
    }

    package let severity: Severity
    /// The file's name as the caller passed it.
    package let file: String
    package let origin: Origin
    /// The path of the key, such as `gpio.outputs.red.line` or `timers.groups[1].name`, where lists count from 1;
    /// empty for the file as a whole.
    package let key: String
    package let problem: Problem

    package init(severity: Severity, file: String, origin: Origin, key: String, problem: Problem) {
        (self.severity, self.file, self.origin, self.key, self.problem) = (severity, file, origin, key, problem)
    }

    /// The message for the user, on one line.
    package var description: String {
        let place =
            switch origin {
            case .line(let line): "\(file):\(line)"
            case .variable(let name): name
            }
        let parts = [place, severity == .warning ? "warning" : "", key, "\(problem)"]
        return parts.filter { !$0.isEmpty }.joined(separator: ": ")
    }
}

extension ConfigurationFault.Problem: CustomStringConvertible {
    /// The problem without its location.
    package var description: String {
        switch self {
        case .unexpected(let found, let expected): "found \(found), expected \(expected)"
        case .unknown(let nearest?, known: _): "unknown; did you mean \(nearest.excerpt)?"
        case .unknown(nearest: nil, let known):
            "unknown, expected one of \(known.map(\.excerpt).joined(separator: ", "))"
        case .duplicate(let first): "found a second time; it is already \(first.phrase)"
        case .other(let text): text
        }
    }
}

/// Why a configuration could not be loaded.
package enum ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(FileError)
    /// The file has faults: all faults and all warnings, sorted by line.
    case faulty([ConfigurationFault])

    package var description: String { lines.joined(separator: "\n") }

    /// A line for each fault.
    package var lines: [String] {
        switch self {
        case .unreadable(let error): [error.description]
        case .faulty(let faults): faults.map(\.description)
        }
    }
}
