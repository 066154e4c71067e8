internal import NodeConfiguration
internal import TimerEngine
package import TimerProtocol

/// What a follower knows of its leader, as it is saved. It is of use as long as neither machine is booted anew.
struct SavedFollow: Hashable, Sendable {
    var leader = NodeConfiguration.Follow(node: "", prefix: "")
    var clock: Clock?
    var state: String?
    var timers: String?
    var message: String?
    var isStoppedAlone = false

    struct Clock: Hashable, Sendable {
        var boot = ""
        var offset = Duration.zero
        var way = Duration.zero
        var at = Instant()
    }
}

extension SavedFollow {
    /// The most bytes that are saved of one message. A larger one is not: the broker tells it again.
    static let maximumMessage = 128 * 1024

    /// What is saved of a message; nil for nothing.
    static func text(of message: some MessagePayload) -> String? {
        let bytes = message.bytes
        return bytes.count <= maximumMessage ? String(decoding: bytes, as: UTF8.self) : nil
    }
}

extension SavedFollow: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("leader", &leader, "The node that is followed.")
        try visitor.field("clock", &clock, .omitted, "The leader's clock; absent where it is not known.")
        try visitor.field("state", &state, .own, .omitted, "What was understood of the leader's state, as JSON.")
        try visitor.field("timers", &timers, .own, .omitted, "The same of its timers.")
        try visitor.field("message", &message, .own, .omitted, "The same of its message.")
        try visitor.field("stopped_alone", &isStoppedAlone, "Whether this follower alone was stopped.")
    }
}

extension NodeConfiguration.Follow: Record {
    package init() { self.init(node: "", prefix: "") }

    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("node", &node, .own, "The node's id.")
        try visitor.field("prefix", &prefix, .own, "The first levels of its topics.")
    }
}

extension SavedFollow.Clock: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        let longest = Duration.longest + Duration.longest
        try visitor.field("boot", &boot, .own, "The leader's boot.")
        try visitor.field(
            "offset", &offset, TimeBounds(.zero - longest...longest, in: .microseconds), "How far it is ahead.")
        try visitor.field("way", &way, .clocks, "How long the answer took.")
        try visitor.field("at", &at, "When the answer came.")
    }

    init(boot: String, _ sample: OtherClock.Sample) {
        (self.boot, offset, way, at) = (boot, sample.offset, sample.way, sample.at)
    }

    var sample: OtherClock.Sample { OtherClock.Sample(offset: offset, way: way, at: at) }
}
