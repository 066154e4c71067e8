internal import TimerEngine

/// A configuration that is read again while the node runs.
extension NodeCore {
    /// Takes over what was read, or leaves everything as it is where that has faults.
    mutating func reload(_ result: Result<NodeConfiguration.Loaded, ConfigurationError>, in turn: inout Turn) {
        switch result {
        case .success(let loaded):
            for warning in loaded.warnings { turn.log(.warning, "\(warning)") }
            take(loaded.configuration, in: &turn)
        case .failure(.unreadable(let error)): refuse([error.description], in: &turn)
        case .failure(.faulty(let faults)): refuse(faults.map(\.description), in: &turn)
        }
    }

    private func refuse(_ faults: [String], in turn: inout Turn) {
        for fault in faults { turn.log(.error, fault) }
        turn.log(.error, "the configuration was not read again; the old one stays")
    }

    private mutating func take(_ new: NodeConfiguration, in turn: inout Turn) {
        let old = configuration
        guard new != old else { return turn.log(.info, "the configuration was read again; nothing changed") }
        // Whoever knows the node by its old topics learns that it is not there any more.
        let isOtherClient =
            (new.node.id, new.node.groups, new.mqtt, new.remotes)
            != (old.node.id, old.node.groups, old.mqtt, old.remotes)
        if isOtherClient, supervisor?.isConnected == true {
            turn.connection.append(.publish(availability("offline")))
        }
        configuration = new
        if isOtherClient { beginConnection(in: &turn) }

        let changed = ChangedParts(from: old, to: new)
        if !changed.isEmpty { turn.lines.append(.rebuild(changed, new)) }
        if changed.contains(.lines) { beginLines(in: &turn) }
        if new.signals != old.signals || changed.contains(.lines) { relight(at: turn.now.instant) }
        if changed.contains(.store) { saving = saving.withOtherStore }
        if new.timers.model != old.timers.model { takeTimersOfFile(instead: old.timers.model, in: &turn) }
        saving.last = nil
        turn.log(.info, "the configuration was read again")
    }

    private mutating func beginConnection(in turn: inout Turn) {
        let mqtt = configuration.mqtt
        topics = Topics(configuration)
        remotes = Remotes(configuration.remotes)
        rateLimit = RateLimit(perSecond: mqtt?.commandRate ?? 0)
        published.forget()
        health.interval = mqtt?.healthInterval ?? .zero
        health.disconnected()
        // A broker answers at once, or stands still: the lamps do not wait for it.
        turn.connection.append(.disconnect(patience: .milliseconds(20)))
        supervisor = mqtt.map { Supervisor(brokers: $0.brokers, version: $0.version, seed: seed) }
        supervisor?.start(at: turn.now.instant)
    }

    private mutating func beginLines(in turn: inout Turn) {
        // A fault that was told of is there until these lines are held.
        lines = Lines(claim: lines.claim)
        lines.claim.begin(at: turn.now.instant)
        buttons = Buttons(configuration.gpio.buttons)
        if buttons.areConfigured { inputClaim.begin(at: turn.now.instant) } else { inputClaim = LineClaim() }
    }

    /// Shows the present mode by the new table.
    private mutating func relight(at now: TimerEngine.Instant) {
        let silencedAt = lamps.silencedAt
        lamps = Lamps(table: configuration.signals, names: configuration.gpio.outputs.keys)
        lamps.group = player.model.selectedGroup
        lamps.show(player.mode, since: min(player.countdown.modeSince ?? now, now))
        if let silencedAt { lamps.silence(at: silencedAt) }
    }
}
