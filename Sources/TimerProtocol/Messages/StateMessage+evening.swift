public import FoundationEssentials

// The parts of the state about the evening: the running order, the next meeting, the budget, and undo.

extension StateMessage {
    /// The current entry of the running order.
    public struct Entry: Hashable, Sendable {
        /// The id of the entry.
        public var id = ""
        /// Its position, counted from 1.
        public var number = 1
        /// The number of entries.
        public var count = 1
        /// The title.
        public var title = ""

        /// An entry without an id.
        public init() {}

        package init(id: String, number: Int, count: Int, title: String) {
            (self.id, self.number, self.count, self.title) = (id, number, count, title)
        }
    }
}

extension StateMessage.Entry: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("id", &id, .entryID, "The id of the entry.")
        try visitor.field("number", &number, .places, "Its position, counted from 1.")
        try visitor.field("count", &count, .counts, "The number of entries.")
        try visitor.field("title", &title, .name, "The title.")
    }
}

extension StateMessage {
    /// A meeting that is about to begin.
    public struct Lead: Hashable, Sendable {
        /// The meeting's name.
        public var name = ""
        /// When it begins.
        public var at = Date.unread

        /// A meeting without a name.
        public init() {}

        package init(name: String, at: Date) { (self.name, self.at) = (name, at) }
    }
}

extension StateMessage.Lead: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("name", &name, .name, "The meeting's name.")
        try visitor.field("at", &at, "When it begins.")
    }
}

extension StateMessage {
    /// The time that all runs of a group may take together.
    public struct Budget: Hashable, Sendable {
        /// What is left of it, 0 or more.
        public var left: Duration = .zero
        /// The whole budget, in seconds.
        public var of = 0
        /// When it is spent, on the node's boot clock; nil while it is not counted down.
        public var zero: Duration?

        /// A budget of nothing.
        public init() {}
    }
}

extension StateMessage.Budget: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("left", &left, .lengths, "What is left of it.")
        try visitor.field("of", &of, .groupSeconds, "The whole budget.")
        try visitor.field(
            "zero", &zero, .instants, "When it is spent, in microseconds of `clock`; null while it is not counted down."
        )
    }
}

extension StateMessage {
    /// A command that ended, replaced or reset a run, and that can be undone.
    public struct Undo: Hashable, Sendable {
        /// The verb of the command.
        public var command = ""
        /// When it can no longer be undone.
        public var until = Date.unread

        /// No command.
        public init() {}

        package init(command: String, until: Date) { (self.command, self.until) = (command, until) }
    }
}

extension StateMessage.Undo: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("command", &command, .plain, "The verb of the command.")
        try visitor.field("until", &until, "When it can no longer be undone.")
    }
}
