package import BrokerLink
internal import TimerProtocol

/// The validated content of timer-web's configuration file, with the defaults filled in.
package struct WebConfiguration: Hashable, Sendable {
    /// Nil if the file has no such section.
    package var mqtt: NodeConfiguration.MQTT?
    package var web = Web()
    package var storage = Storage()
    package var log = NodeConfiguration.Log()

    package init() {}

    package typealias Loaded = LoadedConfiguration<WebConfiguration>
}

extension WebConfiguration {
    /// `web`: the server and the permissions.
    package struct Web: Hashable, Sendable {
        /// The people who have the role of a viewer or of a remote.
        package enum Access: String, CaseIterable, Hashable, Sendable {
            /// Everybody.
            case open
            /// People who know the PIN of the role.
            case pin
        }

        package var listen = ListenAddress(host: "::", port: 8080)
        /// The address that browsers use.
        package var publicURL: PublicURL?
        /// The path of the site as it is written; see ``path``.
        package var basePath: String?
        /// Addresses and networks, such as `127.0.0.1` and `10.0.0.0/8`.
        package var trustedProxies: [IPNetwork] = []
        /// Proxies all of whose users may do everything here; they are trusted as well.
        package var authenticatingProxies: [IPNetwork] = []
        package var view = Access.open
        package var remote = Access.pin
        /// The sites that may show a display in a frame, as in `frame-ancestors` of Content-Security-Policy.
        package var frameAncestors: [String] = []
        /// The ids of the nodes that are shown; nil for all nodes on the broker.
        package var nodes: [String]?
        /// Messages to speakers that the remote offers.
        package var messages: [String] = []
        package var views: [View] = []

        package init() {}

        /// The path of the site in browsers, with a slash at both ends, such as `/` or `/timer/`.
        package var path: String { basePath ?? publicURL?.path ?? "/" }

        /// All proxies whose reports are trusted.
        package var proxies: [IPNetwork] { trustedProxies + authenticatingProxies }

        /// Whether an address belongs to a proxy that has authenticated its users.
        package func isAuthenticating(_ peer: IPAddress?) -> Bool {
            peer.map { peer in authenticatingProxies.contains { $0.contains(peer) } } ?? false
        }
    }

    /// Where the server listens.
    package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
        /// An address or a host name; `::` for all addresses of the machine.
        package var host: String
        /// A TCP port.
        package var port: Int

        package init(host: String, port: Int) {
            self.host = host
            self.port = port
        }

        /// The address in the form of the file.
        package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    /// The address of the site in browsers.
    package struct PublicURL: Hashable, Sendable, CustomStringConvertible {
        package let usesTLS: Bool
        /// The host, and the port unless it is the default one of the scheme.
        package let authority: String
        /// With a slash at both ends.
        package let path: String

        /// What a browser sends as `Origin`.
        package var origin: String { "\(usesTLS ? "https" : "http")://\(authority)" }

        /// The whole URL.
        package var description: String { origin + path }
    }

    /// Named settings of a display.
    package struct View: Hashable, Sendable {
        package let name: String
        /// The query of the display's address: `display=circular&digits=off`.
        package let query: String
    }

    /// `storage`: where PINs, tokens and the session key are kept.
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
            absent: "the section in `/etc/timer-node/timer-node.yaml` if readable, else `mqtt://127.0.0.1`",
            "The brokers and how to connect to them. A copy of a node's section also works: keys that only a node uses "
                + "are ignored."),
        .optional("web", \.web, Web.schema, absent: "the defaults below", "The server and the permissions."),
        .optional(
            "storage", \.storage, Storage.schema, absent: "the service's or the user's folder",
            "Where PINs, tokens and the session key are kept."),
        .optional("log", \.log, NodeConfiguration.Log.schema, absent: "level `info`", "What is logged.")
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
            "public_url", \.publicURL, .publicURL, absent: "the address in each request",
            "The address that browsers use, if there is a proxy. QR codes point there, and commands are accepted only "
                + "from its pages."),
        .optional(
            "base_path", \.basePath, .basePath, absent: "the path of `public_url`",
            "The path of the site in browsers. A proxy may keep it in requests or remove it."),
        .optional(
            "trusted_proxies", \.trustedProxies, .proxies, absent: "none",
            "The proxies whose `X-Forwarded-For` or `Forwarded`, `X-Forwarded-Proto` and `X-Forwarded-Host` are "
                + "trusted."),
        .optional(
            "authenticating_proxies", \.authenticatingProxies, .proxies, absent: "none",
            "Trusted proxies all of whose users are operators, such as the ingress of Home Assistant. Requests from them "
                + "need no PIN, may use any host name, and may show every page in a frame of the same site."),
        .optional("view", \.view, .oneOf, "Who may watch: everybody, or people who know the PIN."),
        .optional(
            "remote", \.remote, .oneOf,
            "Who may start, stop and set timers: everybody, or people who know the PIN."),
        .optional(
            "frame_ancestors", \.frameAncestors,
            .list(of: .frameSource, count: 0...32, "a list of at most 32 sources, each such as https://example.org"),
            absent: "only this site", "The sites that may show a display in a frame."),
        .optional(
            "nodes", \.nodes, .list(of: .id, count: 1...1000, "a list of 1 to 1000 ids"),
            absent: "all nodes", "The nodes that are shown and controlled."),
        .optional(
            "messages", \.messages, .list(of: .text(.name), count: 0...32, "a list of at most 32 strings"),
            absent: "none",
            "Messages to speakers that the remote offers."),
        .optional(
            "views", \.views, .views, absent: "none",
            "Named settings of a display: the part of its address after the `?`. Names have the form of node ids.")
    )

    static let schema: Schema<Self> = .section(keys) { section in
        let web = section.readAll()
        if let base = web.basePath, let url = web.publicURL, url.path != "/", url.path != base {
            section.report(
                .unexpected(found: base.quoted, expected: "\(url.path), the path of public_url"), at: \.basePath)
        }
        if web.isAuthenticating(IPAddress("127.0.0.1")) || web.isAuthenticating(IPAddress("::1")) {
            section.report(
                .other(
                    "includes this machine: every program on it, and every website that a browser on it opens, is an "
                        + "operator"),
                at: \.authenticatingProxies, severity: .warning)
        }
        if web.view == .pin, web.remote == .open {
            section.report(
                .other("not used: remote is open, and everybody who may control timers may also watch"), at: \.view,
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
                "`$STATE_DIRECTORY`, set by systemd; for a command the service's folder, if it exists; else "
                + "`timer-web` in `$XDG_STATE_HOME` or `~/.local/state`",
            "The folder, relative to this file; it is created if missing.")
    )

    static let schema: Schema<Self> = .section(keys) { section in
        var storage = section.readAll()
        storage.directory = storage.directory.map(section.context.resolve)
        return storage
    }
}
