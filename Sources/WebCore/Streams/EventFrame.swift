package import TimerProtocol

/// Events of a stream as Server-Sent Events have them, one after another in one run of bytes.
package struct EventFrame: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Adds an event whose data is encoded already. JSON of ours has no line breaks.
    package mutating func add(_ name: String, _ data: [UInt8]) {
        bytes += "event: \(name)\ndata: ".utf8
        bytes += data
        bytes += "\n\n".utf8
    }

    /// Adds an event whose data is an object with the members that `body` writes.
    package mutating func add(_ name: String, _ body: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        writer.object(body)
        add(name, writer.bytes)
    }
}
