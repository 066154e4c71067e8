/// A meeting of the agenda, as events name it.
public struct MeetingReference: Hashable, Sendable {
    /// The meeting's name.
    public var name = ""
    /// Where it takes place; nil where nothing is said.
    public var location: String?
    /// Whether it is attended.
    public var attend = true

    /// A meeting without a name.
    public init() {}

    /// A meeting of a name.
    public init(name: String, location: String?, attend: Bool) {
        self.name = name
        self.location = location
        self.attend = attend
    }
}

extension MeetingReference: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("meeting", &name, .name, "The meeting's name.")
        try visitor.field("location", &location, .plain, "Where it takes place.")
        try visitor.field("attend", &attend, .usual, "Whether it is attended.")
    }
}
