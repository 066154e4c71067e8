internal import BrokerLink
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// The devices of other makers that show what the outputs and the timer do.
///
/// Each mirror has one payload at any time. It is published when it differs from the payload that was published last on
/// this connection, so a device never gets a payload that is out of date, or the same one twice.
struct Mirrors: Sendable {
    /// What was published last for a mirror.
    private struct Published: Hashable, Sendable {
        let payload: String
        let at: Instant
    }

    /// How much earlier than its interval a payload may be published. The seconds of a timer that follows another clock
    /// may be a little shorter.
    private static let tolerance = Duration.milliseconds(50)

    private var settings: [NodeConfiguration.Mirror]
    /// For each mirror; nil if nothing has been published on this connection.
    private var published: [Published?]
    /// The mode that was shown last, whose change is told at once.
    private var mode: ModeName?
    /// When a payload that had to wait is published; nil if none waits.
    private(set) var nextInstant: Instant?
    /// When everything is published again, because messages were dropped; nil if none were.
    private var repeatAt: Instant?

    var isEmpty: Bool { settings.isEmpty }

    init(_ settings: [NodeConfiguration.Mirror]) {
        self.settings = settings
        published = settings.map { _ in nil }
    }

    /// Publishes everything again, because a device may have missed something.
    mutating func connected() {
        published = settings.map { _ in nil }
        (nextInstant, repeatAt) = (nil, nil)
    }

    /// Publishes everything again in a second, because the connection dropped messages.
    mutating func dropped(at now: Instant) {
        if !isEmpty { repeatAt = repeatAt ?? now + .seconds(1) }
    }

    /// Publishes what has changed.
    ///
    /// - Parameter signals: what the outputs would show if their lines were held.
    mutating func update(_ node: ShownNode, signals: OutputStates, into batch: inout EffectBatch) {
        let now = node.now.instant
        if let repeatAt, repeatAt <= now { connected() }
        nextInstant = repeatAt
        let shown = MirroredNode(node, signals: signals)
        let isNewMode = mode.update(to: shown.mode)
        for (place, mirror) in settings.enumerated() {
            guard let payload = shown.payload(for: mirror.content), payload != published[place]?.payload else {
                continue
            }
            if let last = published[place], !isNewMode, case .digits(_, let every) = mirror.content,
                now < last.at + every - Self.tolerance
            {
                nextInstant = .earliest(nextInstant, last.at + every)
                continue
            }
            published[place] = Published(payload: payload, at: now)
            batch.mirrors.append(mirror.publication(of: payload))
        }
    }

    /// Takes new settings. Devices that are no longer told anything are turned off first.
    mutating func reconfigure(_ new: [NodeConfiguration.Mirror], isConnected: Bool, into batch: inout EffectBatch) {
        guard new != settings else { return }
        if isConnected { turnOff(into: &batch) { !new.contains($0) } }
        self = Mirrors(new)
    }

    /// Turns the devices off, because the node is shutting down.
    mutating func leave(into batch: inout EffectBatch) { turnOff(into: &batch) { _ in true } }

    /// Turns off the devices that are on. There is no payload that turns off digits.
    private func turnOff(into batch: inout EffectBatch, where isOver: (NodeConfiguration.Mirror) -> Bool) {
        for (mirror, published) in zip(settings, published) where isOver(mirror) && !mirror.showsDigits {
            guard let payload = MirroredNode.stopped.payload(for: mirror.content), payload != published?.payload else {
                continue
            }
            batch.mirrors.append(mirror.publication(of: payload))
        }
    }
}

extension NodeConfiguration.Mirror {
    fileprivate func publication(of payload: String) -> NodeEffect {
        .publish(OutgoingMessage(topic: topic, .bytes(Array(payload.utf8)), qos: qos, retain: retain))
    }

    /// Whether it shows the time.
    fileprivate var showsDigits: Bool { if case .digits = content { true } else { false } }
}

/// What a node's mirrors show.
private struct MirroredNode {
    var mode = ModeName.stopped
    var remaining = 0
    var speaker: String?
    var timer = ""
    var message: String?
    var outputs: [OutputName: OutputState] = [:]

    /// A node that is shutting down.
    static let stopped = Self()

    private init() {}

    init(_ node: ShownNode, signals: OutputStates) {
        let player = node.timer.player
        mode = ModeName(player.mode)
        remaining = player.countdown.remaining(at: node.now.instant).shownSeconds
        speaker = node.talk.speaker
        timer = player.name
        message = node.talk.message?.text
        outputs = Dictionary(uniqueKeysWithValues: zip(signals.names, signals.states))
    }

    /// Returns the payload for a device; nil if it stays as it is.
    func payload(for content: NodeConfiguration.Mirror.Content) -> String? {
        switch content {
        case .output(let name, let on, let off, let blink):
            switch outputs[name] ?? .off {
            case .off: off
            case .on: on
            case .blink: blink ?? on
            }
        case .mode(let texts): texts[mode]?.filled(value)
        case .digits(let text, every: _): text.filled(value)
        }
    }

    private func value(_ name: MirrorText.Value) -> String {
        switch name {
        case .display: TimerEngine.timerDisplay(of: remaining)
        case .remaining: String(remaining)
        case .mode: mode.rawValue
        case .color: color
        case .speaker: speaker ?? ""
        case .timer: timer
        case .message: message ?? ""
        }
    }

    /// The colour of the lamp that is lit; white if none is.
    private var color: String {
        let lit = ["red", "yellow", "green"].first { outputs[$0, default: .off] != .off }
        return switch lit {
        case "red": "#FF0000"
        case "yellow": "#FFBF00"
        case "green": "#00FF00"
        default: "#FFFFFF"
        }
    }
}
