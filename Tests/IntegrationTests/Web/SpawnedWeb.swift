import Foundation
import TestSupport
import TimerProtocol

/// The built timer-web, run as a user would run it, with a separate state directory.
final class SpawnedWeb {
    let process: ChildProcess
    let port: Int
    /// Tokens by name: a `remote`, an `operator`, and any that are added.
    private(set) var tokens: [String: String] = [:]
    private let folder: URL
    /// The file with the PINs.
    var accessFile: String { folder.appending(path: "state/access.json").path }
    private let program: String
    private let file: String
    private let environment: [String: String]

    /// Starts timer-web, and waits until it listens.
    ///
    /// - Parameters:
    ///   - web: further settings for the section `web`.
    ///   - others: further environment variables.
    ///   - descriptors: the limit on file descriptors; nil for the tests' own limit.
    init(
        _ broker: String, web: String = "", environment others: [String: String] = [:], descriptors: Int? = nil
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "timer-web-\(UUID().uuidString)")
        let state = folder.appending(path: "state").path
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        port = try freePort()
        file = folder.appending(path: "timer-web.yaml").path
        try """
        mqtt: {brokers: [\(broker)]}
        web: {listen: "127.0.0.1:\(port)"\(web)}
        """.write(toFile: file, atomically: true, encoding: .utf8)
        program = try SpawnedNode.builtProgram("timer-web")
        environment = others.merging(["STATE_DIRECTORY": state, "SWIFT_BACKTRACE": "enable=no"]) { $1 }
        for role in ["remote", "operator"] {
            tokens[role] = try Self.run(
                program, ["tokens", "add", role, "--role", role, "--config", file], environment
            ).first
        }
        process = try Self.start(program, file, environment, descriptors: descriptors)
        try process.waitForLine("the start of timer-web") { $0.contains("listening on") }
    }

    deinit {
        process.signal(SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    private static func start(
        _ program: String, _ file: String, _ environment: [String: String], descriptors: Int? = nil
    ) throws -> ChildProcess {
        let arguments = ["run", "--config", file, "--www", repositoryFile("www")]
        guard let descriptors else { return try ChildProcess(program, arguments, environment: environment) }
        return try ChildProcess(
            "prlimit", ["--nofile=\(descriptors):\(descriptors)", program] + arguments, environment: environment)
    }

    /// Starts a second instance with the same configuration, as systemd does.
    func startAnother() throws -> ChildProcess {
        // Nothing reads this socket, so messages sent to it are lost.
        let socket = folder.appending(path: "notify").path
        return try Self.start(program, file, environment.merging(["NOTIFY_SOCKET": socket]) { $1 })
    }

    /// Starts another timer-web subcommand alongside the server.
    func start(_ arguments: String...) throws -> ChildProcess {
        try ChildProcess(program, arguments + ["--config", file], environment: environment)
    }

    private static func run(_ program: String, _ arguments: [String], _ environment: [String: String]) throws
        -> [String]
    {
        let process = try ChildProcess(program, arguments, environment: environment)
        guard try process.waitForExit() == .exited(0) else {
            throw TestFailure("\(arguments): \(process.errors.joined(separator: "\n"))")
        }
        return process.output
    }

    /// Runs another timer-web subcommand alongside the server, and returns the lines that it prints.
    @discardableResult
    func run(_ arguments: String...) throws -> [String] {
        try Self.run(program, arguments + ["--config", file], environment)
    }

    /// Adds a token, which later requests can use by name, and returns it.
    @discardableResult
    func addToken(_ name: String, role: String, nodes: [String] = []) throws -> String {
        let arguments = ["tokens", "add", name, "--role", role, "--config", file] + nodes.flatMap { ["--node", $0] }
        let token = try Self.run(program, arguments, environment).first ?? ""
        tokens[name] = token
        try waitUntil("the token \(name)") { try request("GET", "/api/session", as: name).status == 200 }
        return token
    }

    /// Sends a request and returns the response.
    ///
    /// - Parameters:
    ///   - role: the name of the token to send; nil for none.
    ///   - body: the body, as JSON.
    ///   - fields: further header fields.
    func request(
        _ method: String, _ path: String, as role: String? = nil, _ body: String = "",
        type: String = "application/json", fields: [String: String] = [:]
    ) throws -> HTTPAnswer {
        let connection = try open(method, path, as: role, body, type: type, fields: fields)
        try connection.waitUntil("a response to \(method) \(path)") { $0.answer != nil }
        return try connection.answer ?? { throw TestFailure("no response") }()
    }

    /// Sends a command to `lectern`, and returns the status of the response and its error code.
    func command(
        _ verb: String, as role: String? = "operator", _ body: String = "{}"
    ) throws -> (status: Int, code: String?) {
        let answer = try request("POST", "/api/nodes/lectern/commands/\(verb)", as: role, body)
        return (answer.status, answer.json["error"]?["code"]?.string)
    }

    /// Opens an event stream.
    func stream(
        _ query: String = "", as role: String? = nil, from address: UInt8 = 1, receiveBuffer: Int32? = nil,
        fields: [String: String] = [:]
    ) throws -> HTTPConnection {
        try open("GET", "/api/events\(query)", as: role, fields: fields, from: address, receiveBuffer: receiveBuffer)
    }

    /// Opens a connection and sends a request on it.
    func open(
        _ method: String, _ path: String, as role: String?, _ body: String = "", type: String = "application/json",
        fields: [String: String] = [:], from address: UInt8 = 1, receiveBuffer: Int32? = nil
    ) throws -> HTTPConnection {
        let connection = try HTTPConnection(port: port, from: address, receiveBuffer: receiveBuffer)
        var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
        if let token = role.flatMap({ tokens[$0] }) { head += "Authorization: Bearer \(token)\r\n" }
        for field in fields { head += "\(field.key): \(field.value)\r\n" }
        if method == "POST" { head += "Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n" }
        try connection.send("\(head)\r\n\(body)")
        return connection
    }

    /// The server's open sockets, each with a unique number.
    var sockets: Set<String> {
        get throws { Set(try process.descriptors.filter { $0.hasPrefix("socket:") }) }
    }

    /// The server's resident memory, in MiB.
    var residentMegabytes: Double {
        get throws { try process.residentMebibytes }
    }
}
