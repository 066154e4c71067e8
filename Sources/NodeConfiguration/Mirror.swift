package import BrokerLink
package import TimerProtocol

extension NodeConfiguration {
    /// One entry of `mirrors`: another maker's device, and what it is told about an output or the timer.
    package struct Mirror: Hashable, Sendable {
        package var topic: String
        package var content: Content
        package var qos: OutgoingMessage.QoS
        package var retain: Bool

        package init(
            topic: String, _ content: Content, qos: OutgoingMessage.QoS = .atLeastOnce, retain: Bool = false
        ) {
            (self.topic, self.content, self.qos, self.retain) = (topic, content, qos, retain)
        }

        /// What the device shows.
        package enum Content: Hashable, Sendable {
            /// An output. A device without an effect of its own shows a blinking output as on.
            case output(OutputName, on: String, off: String, blink: String?)
            /// The mode. A mode without a payload leaves the device as it is.
            case mode([ModeName: MirrorText])
            /// The time and what goes with it, at most once per interval.
            case digits(MirrorText, every: Duration)
        }
    }
}

extension NodeConfiguration.Mirror {
    /// What `show` names.
    fileprivate enum Show: String, CaseIterable, Sendable {
        case mode, digits
    }

    /// One mirror as written in the file.
    fileprivate struct Draft {
        var output: OutputName?
        var show: Show?
        var topic: String?
        var on: String?
        var off: String?
        var blink: String?
        var map: [ModeName: MirrorText]?
        var value: MirrorText?
        var every = Duration.seconds(1)
        var qos = 1
        var retain = false
    }

    private static let keys = Keys(
        prototype: Draft(),
        .optional("output", \.output, .outputName, absent: "`show` is given", "The output that the device shows."),
        .optional("show", \.show, .oneOf, absent: "`output` is given", "What else the device shows."),
        .required("topic", \.topic, .mirrorTopic, "The topic on which the device takes commands."),
        .optional(
            "on", \.on, .mirrorPayload, absent: "required for an output", "The payload for an output that is on."),
        .optional(
            "off", \.off, .mirrorPayload, absent: "required for an output", "The payload for an output that is off."),
        .optional(
            "blink", \.blink, .mirrorPayload, absent: "the payload of `on`",
            "The payload for an output that blinks, if the device has such an effect."),
        .optional(
            "map", \.map, .mirrorTexts, absent: "required for `show: mode`",
            "The payload for each mode. A mode that is not named leaves the device as it is."),
        .optional(
            "value", \.value, .mirrorText, absent: "required for `show: digits`",
            "The payload, with [placeholders](mirrors.md#placeholders)."),
        .optional(
            "every", \.every, .seconds(in: 1...3600), "How often the payload of `show: digits` is sent at most."),
        .optional("qos", \.qos, .integer(in: 0...1), "MQTT's quality of service."),
        .optional("retain", \.retain, .bool, "Whether the broker keeps the last payload for the device.")
    )

    static let schema: Schema<Self> = .section(keys) { section in
        let draft = section.readAll()
        guard section.has(\.output) != section.has(\.show) else {
            section.report(
                .unexpected(
                    found: section.has(\.show) ? "both output and show" : "neither", expected: "output or show"),
                at: \.output)
            return nil
        }
        section.reportStrangers()
        guard let content = section.content, let topic = draft.topic else { return nil }
        return Self(
            topic: topic, content, qos: draft.qos == 0 ? .atMostOnce : .atLeastOnce, retain: draft.retain)
    }
}

extension Section<NodeConfiguration.Mirror.Draft> {
    private typealias Path = PartialKeyPath<NodeConfiguration.Mirror.Draft>

    /// Reports the keys that do not belong to what the mirror shows.
    fileprivate func reportStrangers() {
        let isOutput = has(\.output)
        for path in [\.on, \.off, \.blink] as [Path] where has(path) && !isOutput {
            report(.other("belongs to a mirror of an output"), at: path)
        }
        if has(\.map), isOutput || draft.show == .digits { report(.other("belongs to show: mode"), at: \.map) }
        for path in [\.value, \.every] as [Path] where has(path) && (isOutput || draft.show == .mode) {
            report(.other("belongs to show: digits"), at: path)
        }
    }

    /// What the mirror shows; nil after a fault.
    fileprivate var content: NodeConfiguration.Mirror.Content? {
        if has(\.output) {
            for path in [\.on, \.off] as [Path] where !has(path) { reportMissing(path) }
            guard let output = draft.output, let on = draft.on, let off = draft.off else { return nil }
            return .output(output, on: on, off: off, blink: draft.blink)
        }
        switch draft.show {
        case .mode:
            if !has(\.map) { reportMissing(\.map) }
            return draft.map.map { .mode($0) }
        case .digits:
            if !has(\.value) { reportMissing(\.value) }
            return draft.value.map { .digits($0, every: draft.every) }
        case nil: return nil
        }
    }
}

extension Schema where Value == String {
    /// One of the configured outputs.
    fileprivate static var outputName: Schema {
        Schema(expected: "the name of an output", shape: .scalar) { node in
            let known = node.context.outputs
            if let name = node.tree.text, known.contains(name) { return name }
            node.report(expected: "one of the outputs \(known.joined(separator: ", "))")
            return nil
        }
    }

    /// A topic of another device.
    fileprivate static var mirrorTopic: Schema {
        let expected = "a topic such as zigbee2mqtt/back_red/set, up to 256 bytes, without + or # or a leading $"
        return Schema(expected: expected, shape: .scalar) { node in
            guard let text = node.tree.text, (1...256).contains(text.utf8.count), !text.hasPrefix("$"),
                !text.unicodeScalars.contains(where: {
                    $0 == "+" || $0 == "#" || $0.properties.generalCategory == .control
                })
            else {
                node.report(expected: expected)
                return nil
            }
            let own = node.context.topicPrefix
            guard text != own, !text.hasPrefix("\(own)/") else {
                node.report(expected: "a topic of another device; those under \(own)/ are the nodes'")
                return nil
            }
            return text
        }
    }

    /// A payload without placeholders.
    fileprivate static var mirrorPayload: Schema {
        payload { (text) throws(MirrorText.Fault) in
            _ = try MirrorText.isJSON(text)
            return text
        }
    }
}

extension Schema<MirrorText> {
    fileprivate static var mirrorText: Schema { payload { (text) throws(MirrorText.Fault) in try MirrorText(text) } }
}

extension Schema {
    /// A payload that `read` accepts.
    fileprivate static func payload(
        _ read: @escaping @Sendable (String) throws(MirrorText.Fault) -> Value
    ) -> Schema {
        let lengths = 1...4096
        let expected = "a payload of \(lengths.lowerBound) to \(lengths.upperBound) bytes"
        return Schema(expected: expected, shape: .scalar) { node in
            guard let text = node.tree.text, lengths.contains(text.utf8.count) else {
                node.report(expected: expected)
                return nil
            }
            do throws(MirrorText.Fault) { return try read(text) } catch {
                node.report(error.problem)
                return nil
            }
        }
    }
}

extension Schema<[ModeName: MirrorText]> {
    private static var keys: Keys<Value> {
        Keys(
            prototype: [:],
            ModeName.allCases.map { mode in
                .optional(
                    mode.rawValue, \.[mode], .mirrorText, absent: "the device stays as it is",
                    "The payload for \(mode.rawValue), with [placeholders](mirrors.md#placeholders).")
            })
    }

    /// The payloads of the modes.
    fileprivate static var mirrorTexts: Schema { .section(keys) { $0.readAll() } }
}
