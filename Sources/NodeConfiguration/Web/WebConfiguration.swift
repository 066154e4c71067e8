package import IoTNode

/// What the configuration file of timer-web says, checked, with the defaults filled in.
package struct WebConfiguration: Hashable, Sendable {
    /// Nil where the file has no such section.
    package var mqtt: NodeConfiguration.MQTT?
    package var web = Web()
    package var storage = Storage()
    package var log = NodeConfiguration.Log()

    package init() {}
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
        package var trustedProxies: [String] = []
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
