// The way back is ``RequestParser``: it makes an equal request of the topic and the payload. The tests hold both together.
extension Request {
    /// The topic that the command is sent to, such as `timer/lectern/command/start`.
    ///
    /// - Parameters:
    ///   - prefix: the first level, or levels, of each topic.
    ///   - recipient: whom the command is for. Several nodes at once refuse edits and forced lamp tests.
    public func topic(prefix: String, for recipient: CommandRecipient) -> String {
        recipient.topic(prefix: prefix, verb: command.verb)
    }

    /// The payload: empty where there is neither an id nor an argument, else a JSON object.
    ///
    /// A date is written to the millisecond. What is out of range is written too, and the node refuses it.
    public var payload: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            if let id { writer.member("id", id) }
            if let handedBy { writer.member("handed_by", handedBy) }
            var command = command
            // A writer refuses nothing.
            try? command.arguments(&writer, id: id)
        }
        let isEmpty = writer.bytes.count == "{}".utf8.count
        return isEmpty && command.verb != .timers ? [] : writer.bytes
    }
}
