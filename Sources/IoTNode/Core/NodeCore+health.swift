internal import TimerEngine

/// The node's own condition, on its topic.
extension NodeCore {
    /// Asks the edge for what only it knows, where the condition is to be told; the answer publishes it.
    mutating func healthEffects(at now: TimerEngine.Instant) -> [NodeEffect] {
        guard reconnection?.isConnected == true, health.isDue(fault: linesFault, at: now) else { return [] }
        return [.measureMemory]
    }

    /// Publishes the condition.
    ///
    /// - Parameter bytes: the memory that the process has; nil where that is not known.
    func publishHealth(residentBytes bytes: Int?, into batch: inout EffectBatch) {
        guard let reconnection, reconnection.isConnected else { return }
        let begunAt = health.begunAt ?? batch.now.instant
        let json: JSON = [
            "version": .string(NodeVersion.current),
            "started_at": .string(Timestamp.text(batch.now.date(of: begunAt))),
            "uptime_s": .integer(Int(begunAt.duration(to: batch.now.instant).components.seconds)),
            "broker": .string(reconnection.broker.description),
            "reconnects": .integer(max(0, health.connections - 1)),
            "commands": ["ok": .integer(health.answered), "error": .integer(health.refused)],
            "dropped": .integer(health.dropped),
            "gpio": [
                "chip": JSON(health.outputs?.chip), "backend": JSON(health.outputs?.backend),
                "fault": JSON(linesFault),
            ],
            "late_ticks": .integer(health.lateTicks),
            "max_tick_lateness_ms": .integer(health.longestLateness.count(of: .milliseconds(1))),
            "rss_bytes": bytes.map(JSON.integer) ?? .null,
        ]
        batch.answers.append(OutgoingMessage(topic: topics.health, .json(json), retain: true))
    }
}
