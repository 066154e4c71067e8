package import TimerProtocol

/// What a page is told of a node, by the key that it has there. A change of one part is sent without the others.
package enum NodePart: String, CaseIterable, Hashable, Sendable {
    case name, availability, heard, state, counting, patterns, timers, message, agenda, runs, health, signals
    case offlineSince = "offline_since"

    /// The parts that a message on a topic may change.
    package static func touched(by kind: TopicKind) -> [NodePart] {
        let derived: [NodePart] =
            switch kind {
            case .availability: [.heard, .counting, .patterns, .offlineSince, .signals]
            case .state, .tick: [.heard, .counting, .patterns]
            case .health: [.heard, .name, .signals]
            case .event, .response: []
            default: [.heard]
            }
        // What it says itself has its name.
        return derived + [NodePart(rawValue: kind.rawValue)].compactMap(\.self)
    }
}

/// A value as JSON, encoded once for all who get it.
package struct EncodedPart: Hashable, Sendable {
    /// What remotes and operators get.
    package let full: [UInt8]
    /// What viewers get; nil for nothing.
    package let forViewers: [UInt8]?
    /// The change that made it, counted from 1.
    package var change = 0

    package init(full: [UInt8], forViewers: [UInt8]?) {
        self.full = full
        self.forViewers = forViewers
    }

    /// A value that everybody gets.
    package init(_ bytes: [UInt8]) { self.init(full: bytes, forViewers: bytes) }

    /// Nothing, or nothing any more.
    package static let null = EncodedPart(Array("null".utf8))

    /// What somebody gets; nil for nothing.
    func bytes(for role: Role) -> [UInt8]? { role == .viewer ? forViewers : full }

    /// Whether both say the same.
    func says(_ other: EncodedPart) -> Bool { full == other.full && forViewers == other.forViewers }
}
