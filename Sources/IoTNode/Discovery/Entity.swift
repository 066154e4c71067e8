internal import TimerProtocol

/// An entity of Home Assistant: something of the node that it shows, or a command that it sends.
struct Entity: Sendable {
    /// Home Assistant's kinds of entity.
    enum Platform: String, Sendable {
        case binarySensor = "binary_sensor"
        case button, event, notify, number, select, sensor, `switch`, text
    }

    let platform: Platform
    /// What it is called within the node. Home Assistant knows it by this, so it never changes.
    let key: String
    /// The options of its message, but for those that all entities of the node have.
    let options: [JSON.Member]

    /// - Parameters:
    ///   - key: what it is called within the node.
    ///   - name: its name for people.
    ///   - options: what its platform needs besides.
    init(_ platform: Platform, _ key: String, _ name: String, _ options: KeyValuePairs<String, JSON>) {
        self.platform = platform
        self.key = key
        self.options = [JSON.Member(key: "name", value: .string(name))] + options.map(JSON.Member.init)
    }
}
