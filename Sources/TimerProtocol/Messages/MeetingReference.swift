/// A meeting of the agenda, as events name it.
public struct MeetingReference: Hashable, Sendable {
    /// The meeting's name.
    public var name: String
    /// Where it takes place; nil where nothing is said.
    public var location: String?
    /// Whether it is attended.
    public var attend: Bool

    /// A meeting of a name.
    public init(name: String, location: String?, attend: Bool) {
        self.name = name
        self.location = location
        self.attend = attend
    }
}

extension MeetingReference {
    func write(to writer: inout JSONWriter) {
        writer.member(.meeting, name)
        writer.member(.location, location)
        writer.member(.attend, attend)
    }

    init(_ fields: inout PayloadFields) throws(Refusal) {
        self.init(
            name: try fields.required(.meeting, .name), location: try fields.optional(.location, .plain),
            attend: try fields.optional(.attend) ?? true)
    }
}
