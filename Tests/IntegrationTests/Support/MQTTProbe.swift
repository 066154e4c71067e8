import Foundation

/// The address at which a broker listens.
struct BrokerAddress: Equatable {
    var host: String
    var port: Int
}

/// A second client on a broker: mosquitto's own, which is independent of the code under test.
final class MQTTProbe {
    /// A message as `mosquitto_sub` printed it.
    struct Message: Equatable {
        var topic: String
        var payload: String
        var retained = false
        var qos = 0
        var responseTopic = ""
        var correlationData = ""
    }

    /// A client's user, and the authority that it trusts.
    struct User {
        var name: String
        /// The password; nil for the right one.
        var password: String?
        /// The authority's certificate; nil for no TLS.
        var ca: String?

        var arguments: [String] {
            ["-u", name, "-P", password ?? TestSecrets.password(of: name)] + (ca.map { ["--cafile", $0] } ?? [])
        }
    }

    private let process: ChildProcess
    private var received: [Message] = []
    private var linesRead = 0

    /// Subscribes to topic filters with MQTT 5, and returns once the broker has responded.
    ///
    /// Live messages keep the flag that they were published with; retained ones arrive at once.
    convenience init(_ broker: MosquittoBroker, _ filters: String..., as user: User? = nil) throws {
        try self.init(at: broker.address, filters, as: user)
    }

    /// Subscribes on a broker at any address.
    init(at broker: BrokerAddress, _ filters: [String], as user: User? = nil) throws {
        // mosquitto 2.0.21 counts the keep-alive on the wall clock, and drops a silent client when a test sets that
        // clock. So the keep-alive is 11 h: with the maximum of 65535 s, it may count as expired in the next second.
        var arguments =
            [
                "-h", broker.host, "-p", "\(broker.port)", "-k", "40000", "-V", "5", "-q", "1", "-d",
                "--retain-as-published", "-F", "MESSAGE\\t%t\\t%r\\t%q\\t%R\\t%D\\t%p",
            ] + (user?.arguments ?? [])
        for filter in filters { arguments += ["-t", filter] }
        // Without stdbuf, the C library would buffer lines written to a pipe.
        process = try ChildProcess("stdbuf", ["-oL", "mosquitto_sub"] + arguments)
        try process.waitForLine("the SUBACK") { $0.hasPrefix("Subscribed") }
    }

    /// The messages so far.
    var messages: [Message] {
        process.read()
        let lines = process.output
        // Each line is parsed only once, since there may be ten thousand lines.
        received += lines.dropFirst(linesRead).compactMap { line in
            let fields = line.split(separator: "\t", maxSplits: 6, omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 7, fields[0] == "MESSAGE" else { return nil }
            return Message(
                topic: fields[1], payload: fields[6], retained: fields[2] == "1", qos: Int(fields[3]) ?? -1,
                responseTopic: fields[4], correlationData: fields[5])
        }
        linesRead = lines.count
        return received
    }

    /// Waits until a condition on the messages so far holds, and returns the messages.
    @discardableResult
    func wait(for what: String, timeout: Duration = longestWait, _ condition: ([Message]) -> Bool) throws -> [Message] {
        try process.wait(for: what, timeout: timeout) { condition(messages) }
        return messages
    }

    /// Waits for a payload on a topic.
    @discardableResult
    func wait(for payload: String, on topic: String, timeout: Duration = longestWait) throws -> Message {
        var found: Message?
        try process.wait(for: "\(payload) on \(topic)", timeout: timeout) {
            found = messages.first { $0.topic == topic && $0.payload == payload }
            return found != nil
        }
        return found ?? Message(topic: topic, payload: payload)
    }

    /// Publishes a message with QoS 1, and returns once the broker has acknowledged it.
    static func publish(
        _ broker: MosquittoBroker, _ topic: String, _ payload: String, retain: Bool = false,
        responseTopic: String? = nil, correlationData: String? = nil, as user: User? = nil
    ) throws {
        try publish(
            at: broker.address, topic, payload, retain: retain, responseTopic: responseTopic,
            correlationData: correlationData, as: user)
    }

    /// Publishes a message on a broker at any address.
    static func publish(
        at broker: BrokerAddress, _ topic: String, _ payload: String, retain: Bool = false,
        responseTopic: String? = nil, correlationData: String? = nil, as user: User? = nil
    ) throws {
        var arguments = ["-h", broker.host, "-p", "\(broker.port)", "-V", "5", "-q", "1", "-t", topic, "-m", payload]
        arguments += user?.arguments ?? []
        if retain { arguments.append("-r") }
        if let responseTopic { arguments += ["-D", "publish", "response-topic", responseTopic] }
        if let correlationData { arguments += ["-D", "publish", "correlation-data", correlationData] }
        let process = try ChildProcess("mosquitto_pub", arguments)
        guard try process.waitForExit() == .exited(0) else {
            throw TestFailure("mosquitto_pub: \(process.errors.joined(separator: "\n"))")
        }
    }
}
