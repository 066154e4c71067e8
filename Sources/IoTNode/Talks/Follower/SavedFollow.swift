internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// What a follower knows of its leader, as it is saved. It is of use as long as neither machine is booted anew.
struct SavedFollow: Codable, Hashable, Sendable {
    var leader: NodeConfiguration.Follow
    /// The leader's boot, and how far its clock is ahead; nil where that is not known.
    var clock: Clock?
    /// What was understood of what the leader published, as JSON.
    var state: String?
    var timers: String?
    var message: String?
    /// Whether this follower alone was stopped.
    var isStoppedAlone: Bool

    struct Clock: Codable, Hashable, Sendable {
        var boot: String
        /// In microseconds.
        var offset: Int
        /// How long the answer took, in microseconds, and when it came.
        var way: Int
        var at: TimerEngine.Instant
    }

    enum CodingKeys: String, CodingKey {
        case leader, clock, state, timers, message
        case isStoppedAlone = "stopped_alone"
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

extension SavedFollow.Clock {
    /// Whether two clocks can be so far apart, and an answer can have taken so long.
    var isPossible: Bool {
        let longest = Duration.longest.count(of: .microseconds(1))
        return (-2 * longest...2 * longest).contains(offset) && (0...longest).contains(way)
    }

    init(boot: String, _ sample: OtherClock.Sample) {
        self.init(
            boot: boot, offset: sample.offset.count(of: .microseconds(1)), way: sample.way.count(of: .microseconds(1)),
            at: sample.at)
    }

    var sample: OtherClock.Sample {
        OtherClock.Sample(offset: .microseconds(offset), way: max(.zero, .microseconds(way)), at: at)
    }
}

extension JSONWriter {
    /// Writes what `Codable` reads.
    mutating func follow(_ follow: SavedFollow) {
        member("leader") { writer in
            writer.member("node", follow.leader.node)
            writer.member("prefix", follow.leader.prefix)
        }
        if let clock = follow.clock {
            member("clock") { writer in
                writer.member("boot", clock.boot)
                writer.member("offset", clock.offset)
                writer.member("way", clock.way)
                writer.memberIfPresent("at", instant: clock.at)
            }
        }
        if let state = follow.state { member("state", state) }
        if let timers = follow.timers { member("timers", timers) }
        if let message = follow.message { member("message", message) }
        member("stopped_alone", follow.isStoppedAlone)
    }
}
