package import TimerProtocol

extension NodeConfiguration {
    /// One entry of `remotes`: what another device publishes, and the commands it stands for.
    package struct Remote: Hashable, Sendable {
        /// The topics that the device publishes on.
        package var topic: TopicFilter
        /// Where in the JSON payload the value stands; nil takes the whole payload.
        package var path: ValuePath?
        /// What else the payload must say for the message to count; only with a ``path``.
        package var conditions: [Condition]
        /// How long the same value on the same topic counts as one press.
        package var ignoreRepeat: Duration
        /// What each value does; any other value does nothing.
        package var commands: [String: BoundCommand]

        package init(
            topic: TopicFilter, path: ValuePath?, conditions: [Condition], ignoreRepeat: Duration,
            commands: [String: BoundCommand]
        ) {
            self.topic = topic
            self.path = path
            self.conditions = conditions
            self.ignoreRepeat = ignoreRepeat
            self.commands = commands
        }

        /// A place in the payload, and the value it must have.
        package struct Condition: Hashable, Sendable {
            package let path: ValuePath
            package let value: String

            package init(path: ValuePath, value: String) {
                self.path = path
                self.value = value
            }
        }
    }
}

extension NodeConfiguration.Remote {
    /// The largest payload that is read, in bytes.
    package static let largestPayload = 64 * 1024

    /// Why a payload cannot be read.
    package struct Unreadable: Error, CustomStringConvertible {
        package let description: String
    }

    /// What a payload means to this remote.
    package enum Reading: Hashable {
        /// The payload without the white space around it, or the text of the scalar at ``path``.
        case value(String)
        /// There is no value, and why.
        case nothing(because: String)
    }

    /// Reads a payload.
    ///
    /// - Throws: ``Unreadable`` for a payload that is too large, that is no text, or that is no JSON where there is a path.
    package func reading(of payload: [UInt8]) throws(Unreadable) -> Reading {
        guard payload.count <= Self.largestPayload else {
            throw Unreadable(
                description: "the payload has \(payload.count) bytes, at most \(Self.largestPayload) are looked at")
        }
        guard let path else {
            guard let text = String(validating: payload, as: UTF8.self) else {
                throw Unreadable(description: "the payload is not valid UTF-8")
            }
            return .value(PayloadContent.trimmed(text))
        }
        let json: JSON
        do throws(JSON.ParseError) {
            json = try JSON(parsing: payload)
        } catch {
            throw Unreadable(description: error.description)
        }
        for condition in conditions {
            guard let found = condition.path.value(in: json)?.scalarText else {
                return .nothing(because: "there is no value at \(condition.path)")
            }
            guard found == condition.value else {
                return .nothing(because: "\(condition.path) is \(found.quoted)")
            }
        }
        guard let value = path.value(in: json)?.scalarText else {
            return .nothing(because: "there is no value at its path")
        }
        return .value(value)
    }
}

extension JSON {
    /// The text by which a string, a number or a truth value is compared; nil for anything else.
    fileprivate var scalarText: String? {
        switch self {
        case .string(let text): text
        case .bool, .integer, .number: text
        case .null, .array, .object: nil
        }
    }
}
