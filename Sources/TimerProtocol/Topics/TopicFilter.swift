/// An MQTT topic filter. `+` matches one level, and `#` at the end matches any number of further levels, or none.
package struct TopicFilter: Hashable, Sendable, CustomStringConvertible {
    /// Why a string is not a filter.
    package struct Fault: Error, Hashable {
        /// The expected form.
        package let expected: String
    }

    /// The longest filter, in bytes.
    package static let maximumLength = 256

    /// The filter as it was written.
    package let description: String
    /// The levels as bytes, since MQTT compares bytes. Two spellings of `é` are different topics, but equal strings.
    private let levels: [[UInt8]]

    package init(_ text: String) throws(Fault) {
        levels = Self.levels(of: text)
        description = text
        guard (1...Self.maximumLength).contains(text.utf8.count) else {
            throw Fault(expected: "1 to \(Self.maximumLength) bytes")
        }
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw Fault(expected: "no control characters")
        }
        guard levels[0] != Array("$share".utf8) else {
            throw Fault(expected: "a filter without $share, which would deliver some presses to other clients")
        }
        for (place, level) in levels.enumerated() where level.count > 1 || place < levels.count - 1 {
            guard !level.contains(UInt8(ascii: "#")) else {
                throw Fault(expected: "# only by itself, as the last level")
            }
            guard level == Self.one || !level.contains(UInt8(ascii: "+")) else {
                throw Fault(expected: "+ only by itself, as a whole level")
            }
        }
    }

    /// Whether the filter matches a topic name.
    package func matches(_ topic: String) -> Bool {
        Self.meet(levels, Self.levels(of: topic))
    }

    /// Whether there is a topic name that both filters match.
    package func overlaps(_ other: TopicFilter) -> Bool {
        Self.meet(levels, other.levels)
    }

    private static let one = Array("+".utf8)
    private static let rest = Array("#".utf8)

    private static func levels(of text: String) -> [[UInt8]] {
        text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
    }

    /// Whether any topic name matches both filters, one of which may be a topic name.
    private static func meet(_ first: [[UInt8]], _ second: [[UInt8]]) -> Bool {
        // A topic that begins with $ belongs to the broker, and a filter that begins with a wildcard does not match it.
        for (wild, name) in [(first[0], second[0]), (second[0], first[0])] where name.first == UInt8(ascii: "$") {
            if wild == one || wild == rest { return false }
        }
        for place in 0..<max(first.count, second.count) {
            // `a/#` matches `a` too, so the loop looks for `#` before it looks for the end of the other filter.
            let levels = [first, second].map { place < $0.count ? $0[place] : nil }
            if levels.contains(rest) { return true }
            guard let level = levels[0], let other = levels[1] else { return false }
            guard level == other || level == one || other == one else { return false }
        }
        return true
    }
}

/// The recipient of a command.
public enum CommandRecipient: Hashable, Sendable {
    /// One node, by its id.
    case node(String)
    /// Every node.
    case all
    /// Every node that is configured to belong to a group.
    case group(String)

    /// The topic of a command, such as `timer/lectern/command/start`.
    ///
    /// - Parameters:
    ///   - prefix: the first level, or levels, of each topic.
    ///   - verb: the verb of the command; nil if the payload names it.
    public func topic(prefix: String, verb: Verb? = nil) -> String {
        let name =
            switch self {
            case .node(let id): id
            case .all: "all"
            case .group(let name): "@\(name)"
            }
        let topic = "\(prefix)/\(name)/command"
        return verb.map { "\(topic)/\($0.rawValue)" } ?? topic
    }

    /// Whether the command is for one node or for several.
    package var scope: Topics.Scope {
        switch self {
        case .node: .node
        case .all, .group: .several
        }
    }
}
