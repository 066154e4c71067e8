package import TimerProtocol

/// What every page is told of the site, which does not change while the server runs.
package struct SiteReport: Sendable {
    /// The id of the boot that the server's milliseconds count from.
    package var boot = ""
    package var publicURL: String?
    package var views: [String: String] = [:]
    package var messages: [String] = []
    package var version = ""

    package init() {}

    package init(boot: String, version: String) { (self.boot, self.version) = (boot, version) }
}

extension SiteReport: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field(
            "public_url", &publicURL, .note, "The address that browsers know; null where none is configured.")
        try visitor.field("views", &views, .any(.note), "Named sets of a display's options, each a query.")
        try visitor.field("messages", &messages, ListBounds(.name), "Ready-made messages to a speaker.")
        try visitor.field("version", &version, .plain, "The server's version.")
    }
}
