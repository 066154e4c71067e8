internal import TimerClient
package import TimerEngine
internal import TimerProtocol

/// What Prometheus is told about a node.
package struct NodeMetrics: Hashable, Sendable {
    var isOnline = false
    var mode = ModeName.stopped
    /// When the time left reaches 0, on the server's clock; nil if the timer does not run.
    var zero: Instant?
    /// The time left of a timer that does not run.
    var standing: Duration = .zero
    var health: HealthMessage?

    /// A node that has said nothing yet.
    init() {}

    init(_ node: NodeMirror) {
        isOnline = node.availability == .online
        mode = node.mode ?? .stopped
        zero = node.counting?.zero
        standing = node.state?.preciseRemaining ?? .zero
        health = node.health
    }

    /// The seconds left at an instant.
    func remaining(at now: Instant) -> Double {
        max(.zero, zero.map { now.duration(to: $0) } ?? standing) / .seconds(1)
    }
}

extension Snapshot {
    /// Metrics about the nodes that an audience may see, in the format of Prometheus.
    package func nodeMetrics(for audience: Audience, at now: Instant) -> String {
        let seen = nodes.filter { audience.hears(of: $0.key) }.sorted { $0.key < $1.key }
            .map { (labels: "node=\"\($0.key)\"", metrics: $0.value.metrics) }
        /// A metric with a value for each node that has published it.
        func metric(
            _ name: String, _ help: String, _ kind: MetricsText.Kind = .gauge, _ value: (NodeMetrics) -> Double?
        ) -> String {
            MetricsText.metric(
                name, help, kind, seen.compactMap { node in value(node.metrics).map { (node.labels, $0) } })
        }
        let modes = seen.flatMap { node in
            ModeName.allCases.map {
                ("\(node.labels),mode=\"\($0.rawValue)\"", node.metrics.mode == $0 ? 1.0 : 0)
            }
        }
        return [
            metric("timer_node_online", "Whether the node is connected to the broker.") { $0.isOnline ? 1 : 0 },
            MetricsText.metric("timer_node_mode", "Whether the timer is in this mode.", .gauge, modes),
            metric("timer_node_remaining_seconds", "The time left.") { $0.remaining(at: now) },
            metric("timer_node_late_ticks_total", "Seconds that the node counted late.", .counter) {
                $0.health.map { Double($0.lateTicks) }
            },
            metric("timer_node_reconnects_total", "Reconnections to the broker.", .counter) {
                $0.health.map { Double($0.reconnects) }
            },
            metric("timer_node_dropped_messages_total", "Messages that the node dropped.", .counter) {
                $0.health.map { Double($0.dropped) }
            },
            metric("timer_node_resident_memory_bytes", "Resident memory of the node.") {
                $0.health?.residentBytes.map(Double.init)
            },
        ].joined()
    }
}

/// The text format of Prometheus.
package enum MetricsText {
    package enum Kind: String {
        case gauge, counter
    }

    /// A metric with its samples, each with labels such as `node="lectern"`; empty if there is no sample.
    package static func metric(
        _ name: String, _ help: String, _ kind: Kind, _ samples: [(labels: String, value: Double)]
    ) -> String {
        guard !samples.isEmpty else { return "" }
        let lines = samples.map { labels, value in
            let text = value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
            return "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(text)\n"
        }
        return "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n" + lines.joined()
    }
}
