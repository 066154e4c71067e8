internal import FoundationEssentials
internal import TimerEngine

// Keys with their values; what is nil is null.
extension JSONWriter {
    mutating func member(_ key: JSONKey, _ value: String?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    mutating func member(_ key: JSONKey, _ value: Int) {
        self.key(key)
        self.value(value)
    }

    mutating func member(_ key: JSONKey, _ value: Double) {
        self.key(key)
        self.value(value)
    }

    mutating func member(_ key: JSONKey, _ value: Duration?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    mutating func member(_ key: JSONKey, _ value: Date?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    mutating func member(_ key: JSONKey, _ value: Bool) {
        self.key(key)
        self.value(value)
    }

    mutating func member(_ key: JSONKey, _ value: UUID) {
        self.key(key)
        self.value(value)
    }

    mutating func member(_ key: JSONKey, _ value: TimerPath?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    /// An object, with the members that `body` writes.
    mutating func member(_ key: JSONKey, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        object(body)
    }
}
