import Foundation
import TestSupport
import TimerProtocol

/// The built timer-web, running as a user would run it, with a state directory of its own.
final class SpawnedWeb {
    let process: ChildProcess
    let port: Int
    /// The tokens of a remote and of an operator.
    private(set) var tokens: [String: String] = [:]
    private let folder: URL

    /// Starts it, and waits until it listens.
    ///
    /// - Parameter web: further lines of the section `web`.
    init(_ broker: String, web: String = "") throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "timer-web-\(UUID().uuidString)")
        let state = folder.appending(path: "state").path
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        port = try freePort()
        let file = folder.appending(path: "timer-web.yaml").path
        try """
        mqtt: {brokers: [\(broker)]}
        web: {listen: "127.0.0.1:\(port)"\(web)}
        """.write(toFile: file, atomically: true, encoding: .utf8)
        let program = try SpawnedNode.builtProgram("timer-web")
        let environment = ["STATE_DIRECTORY": state, "SWIFT_BACKTRACE": "enable=no"]
        for role in ["remote", "operator"] {
            let tokens = try ChildProcess(
                program, ["tokens", "add", role, "--role", role, "--config", file], environment: environment)
            try tokens.waitForExit()
            self.tokens[role] = tokens.output.first
        }
        process = try ChildProcess(
            program, ["run", "--config", file, "--www", repositoryFile("www")], environment: environment)
        try process.waitForLine("the start of timer-web") { $0.contains("listening on") }
    }

    deinit {
        process.signal(SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    /// A request and its answer.
    ///
    /// - Parameters:
    ///   - role: whose token it has; nil for none.
    ///   - body: what is sent, as JSON.
    func request(
        _ method: String, _ path: String, as role: String? = nil, _ body: String = "", type: String = "application/json"
    ) throws -> HTTPAnswer {
        let connection = try open(method, path, as: role, body, type: type)
        try connection.waitUntil("an answer to \(method) \(path)") { $0.answer != nil }
        return try connection.answer ?? { throw TestFailure("no answer") }()
    }

    /// A command to `lectern`; the answer's status, and the code of its error.
    func command(
        _ verb: String, as role: String? = "operator", _ body: String = "{}"
    ) throws -> (status: Int, code: String?) {
        let answer = try request("POST", "/api/nodes/lectern/commands/\(verb)", as: role, body)
        return (answer.status, answer.json["error"]?["code"]?.string)
    }

    /// A stream of events.
    func stream(
        _ query: String = "", as role: String? = nil, from address: UInt8 = 1, receiveBuffer: Int32? = nil
    ) throws -> HTTPConnection {
        try open("GET", "/api/events\(query)", as: role, from: address, receiveBuffer: receiveBuffer)
    }

    private func open(
        _ method: String, _ path: String, as role: String?, _ body: String = "", type: String = "application/json",
        from address: UInt8 = 1, receiveBuffer: Int32? = nil
    ) throws -> HTTPConnection {
        let connection = try HTTPConnection(port: port, from: address, receiveBuffer: receiveBuffer)
        var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
        if let token = role.flatMap({ tokens[$0] }) { head += "Authorization: Bearer \(token)\r\n" }
        if method == "POST" { head += "Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n" }
        try connection.send("\(head)\r\n\(body)")
        return connection
    }

    /// Its resident memory, in MiB.
    var residentMegabytes: Double {
        get throws {
            let text = try String(contentsOfFile: "/proc/\(process.pid)/status", encoding: .utf8)
            let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            return (line?.split(separator: " ").dropLast().last.flatMap { Double($0) } ?? 0) / 1024
        }
    }
}
