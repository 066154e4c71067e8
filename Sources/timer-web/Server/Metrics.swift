internal import LinuxSystem
internal import NodeConfiguration
internal import WebCore

/// What the server counts, as Prometheus reads it.
enum Metrics {
    static func text(_ live: Live) -> String {
        let snapshot = live.hub.snapshot
        return [
            line("timer_web_build_info", "The version.", "{version=\"\(NodeVersion.current)\"} 1"),
            line(
                "timer_web_broker_connected", "Whether there is a connection to the broker.",
                " \(snapshot.isConnected ? 1 : 0)"),
            line("timer_web_nodes", "The nodes that are known.", " \(snapshot.nodes.count)"),
            line("timer_web_streams", "The streams of events that are open.", " \(live.hub.count)"),
            line(
                "process_resident_memory_bytes", "Resident memory.", " \(ProcessMemory.residentBytes ?? 0)"),
        ].joined()
    }

    private static func line(_ name: String, _ help: String, _ value: String) -> String {
        "# HELP \(name) \(help)\n# TYPE \(name) gauge\n\(name)\(value)\n"
    }
}
