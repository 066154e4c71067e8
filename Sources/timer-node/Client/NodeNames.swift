internal import BrokerSession
internal import TimerClient
internal import TimerProtocol

/// The names of the nodes, for a shell that completes a command line.
enum NodeNames {
    /// The ids of the nodes that the broker of a command line knows; none where that takes too long.
    ///
    /// What goes wrong is not said: it would be written into the line that somebody types.
    static func complete(_ words: [String]) -> [String] {
        func value(of option: String) -> String? {
            if let place = words.firstIndex(of: option), words.indices.contains(place + 1) {
                // bash makes a word of each colon in a URL.
                var (value, next) = (words[place + 1], place + 2)
                while words.indices.contains(next + 1), words[next] == ":" {
                    value += ":" + words[next + 1]
                    next += 2
                }
                return value
            }
            return words.first { $0.hasPrefix("\(option)=") }.map { String($0.dropFirst(option.count + 1)) }
        }
        var options = BrokerOptions()
        options.config = value(of: "--config")
        options.broker = value(of: "--broker")
        guard let mqtt = options.usableMQTT else { return [] }
        let session = ClientSession(mqtt, kinds: [.availability])
        defer { session.leave() }
        guard (try? session.connect(within: .seconds(1))) != nil else { return [] }
        session.gather(within: .seconds(1))
        return session.client.nodes.keys.sorted()
    }
}
