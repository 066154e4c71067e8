internal import TimerProtocol

/// What every page is told of the site, which does not change while the server runs.
package struct SiteReport: Sendable {
    /// The id of the boot that the server's milliseconds count from.
    package var boot: String
    package var publicURL: String?
    /// Named sets of a display's options, each a query.
    package var views: [String: String]
    /// Ready-made messages to a speaker.
    package var messages: [String]
    package var version: String

    package init(
        boot: String, publicURL: String? = nil, views: [String: String] = [:], messages: [String] = [], version: String
    ) {
        self.boot = boot
        self.publicURL = publicURL
        self.views = views
        self.messages = messages
        self.version = version
    }
}

extension SiteReport {
    func write(to writer: inout JSONWriter) {
        writer.member("public_url", publicURL)
        writer.member("views") { writer in
            for (name, query) in views.sorted(by: { $0.key < $1.key }) {
                writer.key(JSONKey(name))
                writer.value(query)
            }
        }
        writer.key("messages")
        writer.array(messages) { $0.value($1) }
        writer.member("version", version)
    }
}
