internal import IoTNode
internal import TimerProtocol

extension NodeConfiguration {
    /// The sections of the file.
    static let keys = Keys(
        prototype: Self(node: Identity(id: "")),
        .optional("node", \.node, Identity.schema, absent: "the host's name as id", "Who the node is."),
        .optional(
            "mqtt", \.mqtt, MQTT.schema, absent: "the node runs with its lamps alone",
            "The brokers and how to speak with them."),
        .optional(
            "follow", \.follow, Follow.schema, absent: "the node has timers of its own",
            "The node whose timer this one shows; see [several stoplights](several-stoplights.md)."),
        .optional("gpio", \.gpio, GPIO.schema, absent: "a simulated stoplight", "The lamps and the buzzer."),
        .optional(
            "signals", \.signals, SignalTable.schema, absent: "the profile podium",
            "What each mode looks and sounds like."),
        .optional(
            "remotes", \.remotes, .list(of: Remote.schema, count: 0...64, "a list of at most 64 remotes"),
            absent: "none", "What other devices publish, and the commands it stands for; see [remotes](remotes.md)."
        ),
        .optional(
            "timers", \.timers, Timers.schema, absent: "one timer of 5:00, 1:00 and 0:15",
            "The timers of a node that has none saved."),
        .optional(
            "agenda", \.agenda, Agenda.schema, absent: "there are no meetings",
            "The meetings of a node that has none saved, weekly or dated."),
        .optional(
            "storage", \.storage, Storage.schema, absent: "nothing is kept",
            "Where state is kept over restarts."),
        .optional("log", \.log, Log.schema, absent: "level info", "What is logged.")
    )

    /// The whole file.
    static let schema: Schema<Self> = .section(keys) { section in
        // The keys are read in order, because signals name outputs, and groups name patterns of the signals. Remotes are
        // read last: they must not have the node's own topics, which depend on the node and its broker.
        section.readAll(except: \.remotes)
        if !section.has(\.node) {
            section.draft.node = Identity(id: Identifier.fromHostName(section.context.hostName))
        }
        section.learnCommandTopics()
        section.checkLeader()
        var configuration = section.read(\.remotes)
        configuration.checkCommands(section.context, hasTimers: section.has(\.timers) && configuration.follow == nil)
        section.checkMeetings()
        if configuration.mqtt?.clientID == "" {
            configuration.mqtt?.clientID = "timer-node-\(configuration.node.id)"
        }
        return configuration
    }
}

extension Section<NodeConfiguration> {
    /// Tells the context the topics of the node's own commands.
    fileprivate func learnCommandTopics() {
        if has(\.remotes), !has(\.mqtt) {
            report(.other("not used: there is no mqtt"), at: \.remotes, severity: .warning)
        }
        guard draft.mqtt != nil else { return }
        context.commandFilters = Topics(draft).commandFilters.compactMap { try? TopicFilter($0) }
    }
}

extension NodeConfiguration.Identity {
    private static let keys = Keys(
        prototype: Self(id: ""),
        .optional(
            "id", \.id, .id, absent: "the host's name",
            "The node's name in topics. It is unique among the nodes of a broker."),
        .optional(
            "name", \.name, .text(.name), absent: "the id",
            "The node's name for people, which Home Assistant shows."),
        .optional(
            "web_url", \.webURL, .webURL, absent: "none",
            "A page about the node, for people. Home Assistant links to it."),
        .optional(
            "groups", \.groups, .list(of: .id, count: 0...32, "a list of names, each \(Identifier.expected)"),
            absent: "none", "The groups of nodes it belongs to: it obeys commands under `@NAME` too.")
    )

    static let schema: Schema<Self> = .section(keys) { section in
        var identity = section.readAll()
        if identity.id.isEmpty { identity.id = Identifier.fromHostName(section.context.hostName) }
        if identity.name.isEmpty { identity.name = identity.id }
        return identity
    }
}

extension Schema where Value == String {
    /// The URL of a page. Home Assistant drops the whole announcement of a node whose host or port it does not like.
    fileprivate static var webURL: Schema {
        scalar(
            "a URL such as http://lectern.local:8080/, with a name or an IPv4 address, up to "
                + "\(TextKind.longest) bytes", format: { $0 }
        ) {
            let pattern = /https?:\/\/(?<host>[A-Za-z0-9_.-]+)(:(?<port>[0-9]{1,5}))?([\/?#]\S*)?/
            guard TextKind.plain.fits($0), let url = $0.wholeMatch(of: pattern) else { return nil }
            let labels = url.host.split(separator: ".", omittingEmptySubsequences: false)
            let isHost = labels.allSatisfy { (1...63).contains($0.count) }
            let isPort = url.port.map { (1...65_535).contains(Int($0) ?? 0) } ?? true
            return isHost && isPort ? $0 : nil
        }
    }
}

extension NodeConfiguration.Storage {
    private static let keys = Keys(
        prototype: Self(),
        .optional(
            "directory", \.directory, .text(.name),
            "The folder, from the folder of this file; it is made where it is missing."),
        .optional(
            "after_reboot", \.afterReboot, .oneOf,
            "What becomes of a run when the machine was started anew: `pause` holds it where it was last saved, `resume` "
                + "goes on by the wall clock, which may be wrong by then, `stop` ends it."),
        .optional(
            "runs", \.runs, .integer(in: NodeConfiguration.Storage.runCounts),
            "How many runs that ended are kept for the report; 0 for none.")
    )

    static let schema: Schema<Self> = .section(keys) { section in
        var storage = section.readAll()
        storage.directory = section.context.resolve(storage.directory)
        return storage
    }
}

extension NodeConfiguration.Log {
    private static let keys = Keys(
        prototype: Self(),
        .optional("level", \.level, .oneOf, "The least important level to log."),
        .optional(
            "format", \.format, .oneOf,
            "What a line looks like; `json` has an object with `time`, `level` and `message`.")
    )

    static let schema: Schema<Self> = .section(keys)
}
