internal import IoTNode
internal import TimerProtocol

extension WebConfiguration {
    /// The sections of the file.
    static let keys = Keys(
        prototype: Self(),
        .optional(
            "mqtt", \.mqtt, NodeConfiguration.MQTT.webSchema,
            absent: "the section of `/etc/timer-node/timer-node.yaml` where that can be read, else `mqtt://127.0.0.1`",
            "The brokers and how to speak with them. A copy of a node's section will do: keys that only a node has a "
                + "use for are not used."),
        .optional("web", \.web, Web.schema, absent: "the defaults below", "The server, and who may do what."),
        .optional(
            "storage", \.storage, Storage.schema, absent: "the folder of the service, or of the user",
            "Where PINs, tokens and the key of the sessions are kept."),
        .optional("log", \.log, NodeConfiguration.Log.schema, absent: "level info", "What is logged.")
    )

    /// The whole file.
    static let schema: Schema<Self> = .section(keys)

    /// The variables of timer-web.
    static let variables = EnvironmentVariables(prefix: "TIMER_WEB_", keys: keys.declared, unnamed: "web")
}

extension WebConfiguration.Web {
    private static let keys = Keys(
        prototype: Self(),
        .optional(
            "listen", \.listen, .listenAddress, "Where the server listens; `[::]` is every address of the machine."),
        .optional(
            "public_url", \.publicURL, .publicURL, absent: "what each request says",
            "The address that browsers know, where a proxy is in between. QR codes lead there, and commands are taken "
                + "from its pages alone."),
        .optional(
            "base_path", \.basePath, .basePath, absent: "the path of `public_url`",
            "The path that browsers have the site under. A proxy may leave it in the requests or take it out."),
        .optional(
            "trusted_proxies", \.trustedProxies,
            .list(of: .network, count: 0...32, "a list of at most 32 addresses or networks"), absent: "none",
            "The proxies whose `X-Forwarded-For` or `Forwarded`, `X-Forwarded-Proto` and `X-Forwarded-Host` are "
                + "believed."),
        .optional("view", \.view, .oneOf, "Who may look: everybody, or whoever knows the PIN."),
        .optional(
            "remote", \.remote, .oneOf,
            "Who may start, stop and set timers; `open` is for a network where everybody may."),
        .optional(
            "frame_ancestors", \.frameAncestors,
            .list(of: .frameSource, count: 0...32, "a list of at most 32 sources, each such as https://example.org"),
            absent: "this site alone", "The sites that may show a display in a frame."),
        .optional(
            "nodes", \.nodes, .list(of: .id, count: 1...1000, "a list of 1 to 1000 ids, each \(Identifier.expected)"),
            absent: "all of the broker", "The nodes that are shown and controlled."),
        .optional(
            "messages", \.messages, .list(of: .text(.name), count: 0...32, "a list of at most 32 texts"),
            absent: "none",
            "Messages for speakers that the remote has ready."),
        .optional(
            "views", \.views, .views, absent: "none",
            "Looks of a display, each under a name that is an id: the part of its address after the `?`.")
    )

    static let schema: Schema<Self> = .section(keys) { section in
        let web = section.readAll()
        if let base = web.basePath, let url = web.publicURL, url.path != "/", url.path != base {
            section.report(
                .unexpected(found: base.quoted, expected: "\(url.path), the path of public_url"), at: \.basePath)
        }
        if web.view == .pin, web.remote == .open {
            section.report(
                .other("not used: remote is open, and who may start a timer may look at it"), at: \.view,
                severity: .warning
            )
        }
        return web
    }
}

extension WebConfiguration.Storage {
    private static let keys = Keys(
        prototype: Self(),
        .optional(
            "directory", \.directory, .text(.name),
            absent:
                "`$STATE_DIRECTORY`, which systemd sets; for a command the folder of the service, where there is one; else "
                + "`timer-web` in `$XDG_STATE_HOME` or `~/.local/state`",
            "The folder, from the folder of this file; it is made where it is missing.")
    )

    static let schema: Schema<Self> = .section(keys) { section in
        var storage = section.readAll()
        storage.directory = storage.directory.map(section.context.resolve)
        return storage
    }
}
