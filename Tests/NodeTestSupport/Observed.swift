internal import BrokerLink
import IoTNode
internal import NodeConfiguration
internal import NodePorts
import TimerEngine
import TimerProtocol

/// Events from sources without a port.
final class EventScript: EventSource {
    private var pending: [NodeEvent] = []

    func push(_ events: [NodeEvent]) { pending += events }

    var interests: [Interest] { [] }
    var nextInstant: Instant? { pending.isEmpty ? nil : Instant(sinceEpoch: .zero) }

    func takeEvents(ready: [Interest], at now: Instant) -> [NodeEvent] {
        defer { pending = [] }
        return pending
    }
}

/// Everything that was visible in the room, on the broker and in the log.
final class Observed: StatusDisplay {
    var isConnected = false
    var isBrokerFrozen = false
    var publications: [OutgoingMessage] = []
    var diary: [String] = []
    var logs: [(level: LogLevel, message: String)] = []
    var announcements: [Announcement] = []
    var configuration: Result<NodeConfiguration.Loaded, ConfigurationError> = .failure(.faulty([]))
    var reloads = 0
    var replaced: [ChangedParts] = []

    func watch(_ outputs: InMemoryOutputs, _ connection: InMemoryConnection, _ clock: VirtualClock) {
        let beginning = clock.now.instant
        let write = { (line: String) in
            let seconds = beginning.duration(to: clock.now.instant).inSeconds
            let text = seconds == seconds.rounded() ? String(Int(seconds)) : String((seconds * 1000).rounded() / 1000)
            self.diary.append("\(text) \(line)")
        }
        outputs.onChange = { write("lamps \(Scenario.lit($0))") }
        connection.onPublish = { message in
            self.publications.append(message)
            write("\(message.topic.dropFirst("timer/lectern/".count)) \(message.text)")
        }
        connection.onDisconnect = { timeout in
            self.isConnected = false
            // A frozen broker acknowledges nothing, so the connection waits out its timeout.
            if self.isBrokerFrozen { clock.advance(by: timeout) }
        }
    }

    func log(_ level: LogLevel, _ message: String) { logs.append((level, message)) }

    func load() -> Result<NodeConfiguration.Loaded, ConfigurationError> {
        reloads += 1
        return configuration
    }

    func show(_ status: NodeStatus) {}

    func announce(_ announcement: Announcement) { announcements.append(announcement) }
}
