package import BrokerLink
internal import TimerProtocol

/// What the configuration file of timer-web says, checked, with the defaults filled in.
package struct WebConfiguration: Hashable, Sendable {
    /// Nil where the file has no such section.
    package var mqtt: NodeConfiguration.MQTT?
    package var web = Web()
    package var storage = Storage()
    package var log = NodeConfiguration.Log()

    package init() {}

    package typealias Loaded = LoadedConfiguration<WebConfiguration>
}

extension WebConfiguration {
    /// `web`: the server and who may do what.
    package struct Web: Hashable, Sendable {
        /// How somebody becomes a viewer or a remote.
        package enum Access: String, CaseIterable, Hashable, Sendable {
            /// Everybody is one.
            case open
            /// By the PIN of the role.
            case pin
        }

        package var listen = ListenAddress(host: "::", port: 8080)
        /// The address that browsers know.
        package var publicURL: PublicURL?
        /// The path of the site as it is written; see ``path``.
        package var basePath: String?
        /// Addresses and networks, such as `127.0.0.1` and `10.0.0.0/8`.
        package var trustedProxies: [IPNetwork] = []
        package var view = Access.open
        package var remote = Access.pin
        /// Who may show a display in a frame, as Content-Security-Policy has it.
        package var frameAncestors: [String] = []
        /// The ids of the nodes that are shown; nil for all of the broker.
        package var nodes: [String]?
        /// Texts for speakers, for the remote.
        package var messages: [String] = []
        package var views: [View] = []

        package init() {}

        /// The path that browsers have the site under, with a slash at both ends: `/`, or such as `/timer/`.
        package var path: String { basePath ?? publicURL?.path ?? "/" }
    }

    /// Where the server listens.
    package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
        /// An address, or the name of one; `::` for all of this machine.
        package var host: String
        /// A TCP port.
        package var port: Int

        package init(host: String, port: Int) {
            self.host = host
            self.port = port
        }

        /// As it is written in the file.
        package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    /// The address that browsers know the site by.
    package struct PublicURL: Hashable, Sendable, CustomStringConvertible {
        package let usesTLS: Bool
        /// Host and port, the port only where it is not the scheme's.
        package let authority: String
        /// With a slash at both ends.
        package let path: String

        /// What a browser sends as `Origin`.
        package var origin: String { "\(usesTLS ? "https" : "http")://\(authority)" }

        /// The whole URL.
        package var description: String { origin + path }
    }

    /// The look of a display under a name.
    package struct View: Hashable, Sendable {
        package let name: String
        /// The query of the display's address: `display=circular&digits=off`.
        package let query: String
    }

    /// `storage`: where PINs, tokens and the key of the sessions are kept.
    package struct Storage: Hashable, Sendable {
        /// Nil for the folder of the service, or of the user.
        package var directory: String?

        package init() {}
    }
}

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
    package static let schema: Schema<Self> = .section(keys)

    /// The variables of timer-web.
    package static let variables = EnvironmentVariables(prefix: "TIMER_WEB_", keys: keys.declared, unnamed: "web")
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
            .list(of: Schema<IPNetwork>.network, count: 0...32, "a list of at most 32 addresses or networks"),
            absent: "none",
            "The proxies whose `X-Forwarded-For` or `Forwarded`, `X-Forwarded-Proto` and `X-Forwarded-Host` are "
                + "believed."),
        .optional("view", \.view, .oneOf, "Who may watch: everybody, or only people who know the PIN."),
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
