import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

/// A leader and its followers during a talk of 30 s, with trouble from the 6th to the 23rd second. A dozen such stories
/// also run on the chip (`SimulatedHall`).
@Suite("Followers in trouble")
struct FollowerTroubleTests {
    enum Trouble: String, CaseIterable, CustomTestStringConvertible {
        case noBroker = "no broker until the 23rd second"
        case killed = "a broker that is killed and started again"
        case killedWithPersistence = "a broker that is killed and started again with its persistent data"
        case frozen = "a broker that hangs until the nodes notice"
        case stutters = "a broker that hangs, and wakes before the nodes notice"
        case leaderRefused = "a broker that accepts the leader at the 23rd second"
        case followersRefused = "a broker that accepts the followers at the 23rd second"
        case leaderPushedOut = "another client with the leader's client id"
        case followersPushedOut = "other clients with the followers' client ids"
        case junk = "payloads that are not valid for any command"
        case flood = "100 commands a second"
        case repeats = "each message delivered twice"
        case slow = "messages that take up to 300 ms"

        var testDescription: String { rawValue }

        /// Whether all nodes are connected before the talk.
        var isConnectedAtStart: Bool { ![.noBroker, .leaderRefused, .followersRefused].contains(self) }
    }

    static let followers = ["back", "desk", "door", "side"]
    /// A machine's clocks: the uptime, and the clock errors.
    private static let clocks: [(boot: Duration, hours: Double, partsPerMillion: Double)] = [
        (.seconds(99), 5, 100), (.seconds(7_654_321), -7, -100), (.seconds(12), 720, 40),
        (.seconds(40_000), -9600, -60),
    ]

    private static func hall(_ trouble: Trouble, followers: [String], seed: UInt64) throws -> Hall {
        let controls = try DeskControls(["start"])
        var hall = Hall(seed: seed)
        if trouble == .noBroker { hall.setBroker(there: false) }
        if trouble == .leaderRefused { hall.unreachable = ["stage"] }
        if trouble == .followersRefused { hall.unreachable = Set(followers) }
        try hall.add("stage", 30, 20, 10) { controls.add(to: &$0) }
        for (id, clock) in zip(followers, clocks) {
            try hall.add(
                id, follows: "stage", bootClock: clock.boot, hoursAhead: clock.hours,
                partsPerMillion: clock.partsPerMillion
            ) { controls.add(to: &$0) }
        }
        hall.wait(.seconds(3))
        return hall
    }

    /// Causes seventeen seconds of trouble.
    private static func pass(_ trouble: Trouble, in hall: inout Hall, followers: [String]) {
        switch trouble {
        case .noBroker, .leaderRefused, .followersRefused: hall.wait(.seconds(17))
        case .killed, .killedWithPersistence:
            hall.setBroker(there: false, keepsRetained: trouble == .killedWithPersistence)
            hall.wait(.seconds(17))
            hall.setBroker(there: true)
        case .frozen:
            hall.freezeBroker()
            hall.wait(.seconds(8))
            hall.missBroker()
            hall.wait(.seconds(9))
            hall.thawBroker()
        case .stutters:
            for _ in 0..<4 {
                hall.freezeBroker()
                hall.wait(.seconds(4))
                hall.thawBroker()
                hall.wait(.milliseconds(250))
            }
        case .leaderPushedOut, .followersPushedOut:
            for _ in 0..<17 {
                for id in trouble == .leaderPushedOut ? ["stage"] : followers { hall.loseConnection(of: id) }
                hall.wait(.seconds(1))
            }
        case .junk:
            let junk = ["\0", "{\"timer\":", "1/1\0", String(repeating: "[", count: 300), "-1", "NaN"]
            for (place, payload) in (0..<17).flatMap({ _ in junk.enumerated() }) {
                for id in ["stage", followers[0]] {
                    hall.publish("timer/\(id)/command/\(["start", "select", "set"][place % 3])", "{\"id\":\(payload)")
                }
                hall.wait(.milliseconds(160))
            }
        case .flood:
            for _ in 0..<170 {
                for _ in 0..<10 { hall.publish("timer/stage/command/beep", "1") }
                hall.wait(.milliseconds(100))
            }
        case .repeats:
            hall.copies = 2
            for second in 0..<17 { hall.send("speaker", "Speaker \(second)", to: followers[0], waiting: .seconds(1)) }
            hall.copies = 1
        case .slow:
            hall.delays = 0.0001...0.3
            hall.wait(.seconds(17))
            hall.delays = 0.0001...0.001
        }
        hall.unreachable = []
        if trouble == .noBroker { hall.setBroker(there: true) }
    }

    /// Expects each follower's lamps to have changed in step with the leader's.
    private static func expectInStep(_ hall: Hall, followers: [String], since start: Duration, atLeast count: Int) {
        for id in followers {
            let steps = FollowerTests.steps(hall, of: id, since: start)
            #expect(steps.stage.count >= count)
            #expect(steps.side == steps.stage, "\(id)")
            #expect(steps.worst < 5, "\(id): \(steps.worst) ms")
        }
    }

    /// Tests each kind of trouble three times with one follower and once with four.
    @Test(
        "change their lamps with the leader's, and are in step afterwards", arguments: Trouble.allCases, UInt64(1)...4)
    func inStep(trouble: Trouble, seed: UInt64) throws {
        let followers = Array(Self.followers.suffix(seed == 4 ? 4 : 1))
        var hall = try Self.hall(trouble, followers: followers, seed: seed)
        let start = hall.time
        hall.press("0", on: trouble.isConnectedAtStart ? followers[0] : "stage")
        hall.wait(.seconds(6))
        Self.pass(trouble, in: &hall, followers: followers)
        hall.wait(.seconds(11))
        let leader = hall.changes(of: "stage", since: start)
        #expect(leader.prefix(4).map(\.lit) == ["green", "yellow", "red", "buzzer+red"])
        for (at, due) in zip(leader.map(\.at), [0.0, 10, 20, 30]) {
            #expect(abs((at - start) / .seconds(1) - due) < 0.01, "\(at - start)")
        }
        if trouble.isConnectedAtStart { Self.expectInStep(hall, followers: followers, since: start, atLeast: 10) }

        // However long the recovery took, the alarms flash in phase and end together.
        hall.wait(.seconds(80))
        let after = hall.time
        hall.wait(.seconds(5))
        hall.send("stop", to: followers[0])
        hall.wait(.seconds(5))
        Self.expectInStep(hall, followers: followers, since: after, atLeast: 10)
        for id in ["stage"] + followers {
            #expect(hall.machines[id]?.lit == "dark", "\(id)")
            if id != "stage" { #expect(hall.follow(of: id)?["in_step"] == true, "\(id)") }
        }
    }
}
