package import TimerEngine
internal import TimerProtocol

/// The open displays, each with its stream.
package struct Displays: Sendable {
    /// If a dark display disconnects and comes back within this time, it is dark again, because its stream may only
    /// have been interrupted.
    package static let memory: Duration = .seconds(60)
    /// The maximum length of a query, in characters; the rest is cut off.
    private static let longestView = 512

    /// A display, as it describes itself.
    package struct Display: Hashable, Sendable {
        /// The node that it shows.
        package var node: String
        /// Its query, which selects what to show about the node.
        package var view: String
        package var address: String
        /// What an operator calls it; empty for no name. The display keeps it, and reports it when it connects.
        package var name: String

        package init(node: String, view: String, address: String, name: String = "") {
            self.node = node
            self.view = String(view.prefix(longestView))
            self.address = address
            self.name = TextKind.plain.fits(name) ? name : ""
        }
    }

    private struct Entry: Sendable {
        var display: Display
        /// When it was opened, in Unix seconds.
        let since: Int
        var isDark = false
    }

    /// The displays by stream number.
    private var entries: [Int: Entry] = [:]
    /// The displays that were dark when they disconnected, with the time at which they did.
    private var dark: [Display: Instant] = [:]

    package init() {}

    /// Adds a display when it opens its stream; returns whether the display must be dark.
    package mutating func add(_ number: Int, _ display: Display, date: Int, at now: Instant) -> Bool {
        let isDark = dark.removeValue(forKey: display).map { $0.duration(to: now) < Self.memory } ?? false
        entries[number] = Entry(display: display, since: date, isDark: isDark)
        return isDark
    }

    /// Removes the display whose stream has ended; returns whether the stream belonged to a display.
    package mutating func remove(_ number: Int, at now: Instant) -> Bool {
        guard let entry = entries.removeValue(forKey: number) else { return false }
        dark = dark.filter { $0.value.duration(to: now) < Self.memory }
        if entry.isDark { dark[entry.display] = now }
        return true
    }

    /// The displays that a name stands for, which is an id or `all`, limited to the nodes that the identity may see.
    /// Nil if there is no such display.
    package func numbers(of name: String, for identity: Identity) -> [Int]? {
        let visible = entries.filter { isVisible($0.value, to: identity) }.keys.sorted()
        if name == "all" { return visible }
        return visible.first { Self.id($0) == name }.map { [$0] }
    }

    /// Makes displays dark, or light again.
    package mutating func darken(_ numbers: [Int], _ isDark: Bool) {
        for number in numbers { entries[number]?.isDark = isDark }
    }

    /// Names displays.
    package mutating func rename(_ numbers: [Int], _ name: String) {
        for number in numbers { entries[number]?.display.name = name }
    }

    /// Returns the list of displays for the API.
    package func list(for identity: Identity) -> [UInt8] {
        var list = DisplayList()
        let visible = entries.filter { isVisible($0.value, to: identity) }.sorted { $0.key < $1.key }
        list.displays = visible.map { number, entry in
            var told = DisplayList.Display()
            (told.id, told.node, told.view) = (Self.id(number), entry.display.node, entry.display.view)
            (told.address, told.since, told.isDark) = (entry.display.address, entry.since, entry.isDark)
            told.name = entry.display.name
            return told
        }
        return list.json()
    }

    private func isVisible(_ entry: Entry, to identity: Identity) -> Bool {
        identity.sees(entry.display.node)
    }

    private static func id(_ number: Int) -> String { "d\(number)" }
}

/// The open displays, as in the API.
struct DisplayList: Record {
    struct Display {
        var id = ""
        var name = ""
        var node: String?
        var view = ""
        var address = ""
        var since = 0
        var isDark = false
    }

    var displays: [Display] = []

    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("displays", &displays, ListBounds(()), "The open displays.")
    }
}

extension DisplayList.Display: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("id", &id, .plain, "The display's id, valid while it is open.")
        try visitor.field("name", &name, .plain, "What an operator calls it; empty for no name.")
        try visitor.field("node", &node, .identifier, "The node that it shows; null for all nodes.")
        try visitor.field("view", &view, .note, "Its query, which selects what it shows.")
        try visitor.field("address", &address, .plain, "The address that it was opened from.")
        try visitor.field("since", &since, .counts, "When it was opened, in seconds of Unix time.")
        try visitor.field("blackout", &isDark, "Whether it is dark.")
    }
}
