extension NodeConfiguration {
    /// One entry of `remotes`: what another device publishes, and the commands it stands for.
    public struct Remote: Hashable, Sendable {
        /// The topics that the device publishes on.
        var topic: TopicFilter
        /// Where in the JSON payload the value stands; nil takes the whole payload.
        var path: JSONPath?
        /// How long the same value on the same topic counts as one press.
        var ignoreRepeat: Duration = .milliseconds(500)
        /// What each value does; any other value does nothing.
        var commands: [String: BoundCommand] = [:]
    }
}

extension NodeConfiguration.Remote {
    /// The largest payload that is looked at, in bytes.
    static let largestPayload = 64 * 1024

    /// Why a payload cannot be read.
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    /// The value that a payload has for this remote.
    ///
    /// - Returns: the payload without the white space around it, or the text of the scalar at ``path``; nil where there
    ///   is none.
    /// - Throws: ``Unreadable`` for a payload that is too large, no text, or no JSON where there is a path.
    func value(in payload: [UInt8]) throws(Unreadable) -> String? {
        guard payload.count <= Self.largestPayload else {
            throw Unreadable(
                description: "the payload has \(payload.count) bytes, at most \(Self.largestPayload) are looked at")
        }
        guard let path else {
            guard let text = String(validating: payload, as: UTF8.self) else {
                throw Unreadable(description: "the payload is not valid UTF-8")
            }
            return PayloadContent.trimmed(text)
        }
        let json: JSON
        do throws(JSON.ParseError) {
            json = try JSON(parsing: payload)
        } catch {
            throw Unreadable(description: error.description)
        }
        switch path.value(in: json) {
        case .string(let text): return text
        case .some(let value) where value.isScalar: return value.text
        default: return nil
        }
    }
}

extension JSON {
    /// Whether it is a truth value or a number.
    fileprivate var isScalar: Bool {
        switch self {
        case .bool, .integer, .number: true
        case .null, .string, .array, .object: false
        }
    }
}
