internal import TimerEngine
internal import TimerProtocol

/// A configuration that is read again while the node runs.
extension NodeCore {
    /// Takes over what was read, or leaves everything as it is where that has faults.
    mutating func reload(_ result: Result<LoadedConfiguration, ConfigurationRejection>, into batch: inout EffectBatch) {
        switch result {
        case .success(let loaded):
            for warning in loaded.warnings { batch.log(.warning, warning) }
            take(loaded.configuration, into: &batch)
        case .failure(let rejection): refuse(rejection.faults, into: &batch)
        }
    }

    private func refuse(_ faults: [String], into batch: inout EffectBatch) {
        for fault in faults { batch.log(.error, fault) }
        batch.log(.error, "the configuration was not read again; the old one stays")
    }

    private mutating func take(_ new: NodeConfiguration, into batch: inout EffectBatch) {
        let old = configuration
        guard new != old else { return batch.log(.info, "the configuration was read again; nothing changed") }
        // Whoever knows the node by its old topics learns that it is not there any more.
        let isOtherClient =
            (new.node.id, new.node.groups, new.mqtt, new.remotes)
            != (old.node.id, old.node.groups, old.mqtt, old.remotes)
        if isOtherClient, reconnection?.isConnected == true {
            batch.connection.append(.publish(availability(.offline)))
        }
        configuration = new
        if isOtherClient { beginConnection(into: &batch) }

        let changed = ChangedParts(from: old, to: new)
        if !changed.isEmpty { batch.lines.append(.rebuild(changed, new)) }
        if changed.contains(.lines) { beginLines(into: &batch) }
        if new.signals != old.signals || changed.contains(.lines) { relight(at: batch.now.instant) }
        if changed.contains(.store) { saving = saving.withOtherStore }
        if new.timers.model != old.timers.model { takeTimersOfFile(instead: old.timers.model, into: &batch) }
        saving.last = nil
        batch.log(.info, "the configuration was read again")
    }

    private mutating func beginConnection(into batch: inout EffectBatch) {
        let mqtt = configuration.mqtt
        topics = Topics(configuration)
        remotes = Remotes(configuration.remotes)
        rateLimit = RateLimit(perSecond: mqtt?.commandRate ?? 0)
        published.forget()
        health.interval = mqtt?.healthInterval ?? .zero
        health.disconnected()
        // A broker answers at once, or stands still: the lamps do not wait for it.
        batch.connection.append(.disconnect(patience: .milliseconds(20)))
        reconnection = mqtt.map { Reconnection(brokers: $0.brokers, version: $0.version, seed: seed) }
        reconnection?.start(at: batch.now.instant)
    }

    private mutating func beginLines(into batch: inout EffectBatch) {
        // A fault that was told of is there until these lines are held.
        lines = OutputLines(acquisition: lines.acquisition)
        lines.acquisition.begin(at: batch.now.instant)
        buttons = Buttons(configuration.gpio.buttons)
        if buttons.areConfigured {
            inputAcquisition.begin(at: batch.now.instant)
        } else {
            inputAcquisition = LineAcquisition()
        }
    }

    /// Shows the present mode by the new table.
    private mutating func relight(at now: TimerEngine.Instant) {
        let silencedAt = lamps.silencedAt
        lamps = Indicators(table: configuration.signals, names: configuration.gpio.outputs.keys)
        lamps.group = player.model.selectedGroup
        lamps.show(player.mode, since: min(player.countdown.modeSince ?? now, now))
        if let silencedAt { lamps.silence(at: silencedAt) }
    }
}

/// The parts at the edge that another configuration makes others of.
package struct ChangedParts: OptionSet, Hashable, Sendable {
    /// The bits.
    package let rawValue: UInt8

    /// Makes a set from its bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The outputs and the buttons.
    package static let lines = ChangedParts(rawValue: 1)
    /// Where the state is kept.
    package static let store = ChangedParts(rawValue: 2)
    /// What is logged.
    package static let log = ChangedParts(rawValue: 4)

    init(from old: NodeConfiguration, to new: NodeConfiguration) {
        self = []
        if new.gpio != old.gpio { insert(.lines) }
        if new.storage?.directory != old.storage?.directory { insert(.store) }
        if new.log != old.log { insert(.log) }
    }
}
