internal import Foundation
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import NIOPosix
import NodeConfiguration
internal import Synchronization
internal import Testing
import TimerProtocol
internal import WebCore

@testable internal import timer_web

/// A server that listens on a free port of this machine, with its own pages, PINs and folder, and without a broker.
final class RunningServer: Sendable {
    let port: Int
    let access: AccessControl
    let file: AccessFile
    /// Whether a stream has begun.
    let isStreaming = Mutex(false)
    /// The methods and addresses that the server has.
    let routes: [(method: String, path: String)]
    /// The `Origin` that a page of the server sends.
    var origin: String { "http://127.0.0.1:\(port)" }

    private init(port: Int, access: AccessControl, file: AccessFile, routes: [(method: String, path: String)]) {
        self.port = port
        self.routes = routes
        self.access = access
        self.file = file
    }

    /// Runs a server while `body` runs.
    ///
    /// - Parameters:
    ///   - web: the section `web` of its configuration, as inline YAML.
    ///   - meanwhile: changes the file with the PINs after it was read and before the server runs.
    static func run(
        web: String = "{}", meanwhile: (AccessFile) throws -> Void = { _ in },
        _ body: (RunningServer) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "web-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try writePages(folder + "/www")
        let yaml = """
            mqtt: {brokers: [mqtt://127.0.0.1:1]}
            web: \(web)
            storage: {directory: \(folder)/state}
            log: {level: error}
            """
        try yaml.write(toFile: folder + "/timer-web.yaml", atomically: true, encoding: .utf8)
        let settings = try Settings(file: folder + "/timer-web.yaml", environment: [:])
        let file = AccessFile(directory: folder + "/state")
        let access = try AccessControl(settings.configuration.web, file: file)
        let logger = ServerLog.logger(settings.configuration.log, [:])
        let server = WebServer(
            settings: settings, access: access, site: try Site(folder: folder + "/www"),
            live: try Live(
                settings.mqtt, nodes: settings.configuration.web.nodes, site: SiteReport(settings),
                clientName: "timer-web-test", logger: logger),
            logger: logger, environment: [:], directory: file.directory)
        try meanwhile(file)
        let routes = server.router.routes.map { (method: $0.method.rawValue, path: "\($0.path)") }
        let (ports, port) = AsyncStream<Int>.makeStream()
        let application = server.application(at: .init(host: "127.0.0.1", port: 0)) {
            port.yield($0.localAddress?.port ?? 0)
        }
        let running = Task { try await application.run() }
        var iterator = ports.makeAsyncIterator()
        let number = try #require(await iterator.next())
        do { try await body(RunningServer(port: number, access: access, file: file, routes: routes)) } catch {
            running.cancel()
            throw error
        }
        running.cancel()
        _ = await running.result
    }

    private static func writePages(_ folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder + "/assets", withIntermediateDirectories: true)
        for page in Page.allCases {
            let html =
                #"<!doctype html><base href="{{base}}"><title>\#(page)</title><script src="assets/a.js?v="></script>"#
            try html.write(toFile: "\(folder)/\(page.file)", atomically: true, encoding: .utf8)
        }
        let script = "import './b.js?v=';\n" + String(repeating: "// a comment that can be compressed\n", count: 100)
        try script.write(toFile: folder + "/assets/a.js", atomically: true, encoding: .utf8)
        try "secret".write(toFile: folder + "/assets/.hidden.js", atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/assets/link.txt", withDestinationPath: "/etc/hostname")
    }
}

/// A response as received over the connection.
struct Answer {
    let status: Int
    /// By their names in lower case; several of the same name are separated by line ends.
    let fields: [String: String]
    let body: String

    /// The response in the received bytes; nil if it is not complete. A stream of events is complete after its fields.
    init?(_ bytes: [UInt8], isHead: Bool) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
        self.status = status
        fields = Dictionary(
            lines.dropFirst().compactMap { line in
                line.firstIndex(of: ":").map {
                    (line[..<$0].lowercased(), line[line.index(after: $0)...].trimmingCharacters(in: .whitespaces))
                }
            }
        ) { "\($0)\n\($1)" }
        body = String(text[end.upperBound...])
        let length = isHead ? 0 : fields["content-length"].flatMap { Int($0) } ?? 0
        guard bytes.count - text[..<end.upperBound].utf8.count >= length else { return nil }
    }
}

extension RunningServer {
    /// Sends bytes unchanged, and returns the response; nil if the connection ends without one.
    func send(raw text: String, isHead: Bool = false) async throws -> Answer? {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            // A server that has received enough may close before it has received everything.
            try? await outbound.write(ByteBuffer(string: text))
            var received: [UInt8] = []
            do {
                for try await part in inbound {
                    received += Array(part.readableBytesView)
                    if let answer = Answer(received, isHead: isHead) { return answer }
                }
            } catch {}
            return Answer(received, isHead: isHead)
        }
    }

    /// Sends a request, with the fields that a page of the server would send unless others are given.
    func send(
        _ method: String, _ path: String, _ fields: [String: String] = [:], body: String? = nil, host: String? = nil
    ) async throws -> Answer {
        var fields = fields
        if method != "GET", fields["Origin"] == nil { fields["Origin"] = origin }
        if let body {
            if fields["Content-Type"] == nil { fields["Content-Type"] = "application/json" }
            fields["Content-Length"] = "\(body.utf8.count)"
        }
        let lines = fields.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)\r\n" }.joined()
        let head = "\(method) \(path) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\n\(lines)\r\n"
        return try #require(try await send(raw: head + (body ?? ""), isHead: method == "HEAD"))
    }

    /// The PIN of a role.
    func pin(_ role: Role) throws -> String { try #require(try file.load().pins[role]) }

    /// Logs in, and returns the field `Cookie` of the session.
    func logIn(_ role: Role, _ fields: [String: String] = [:]) async throws -> String {
        let answer = try await send("POST", "/api/session", fields, body: "{\"pin\": \"\(try pin(role))\"}")
        #expect(answer.status == 200, "\(answer)")
        return String(try #require(answer.fields["set-cookie"]).prefix { $0 != ";" })
    }

    /// Adds a token, and returns it.
    func token(_ name: String, _ role: Role, nodes: [String]? = nil) throws -> String {
        let token = "tw_\(name)"
        let hash = Crypto.hexadecimal(Crypto.sha256(Array(token.utf8)))
        try file.update { $0.tokens.append(.init(name: name, role: role, nodes: nodes, hash: hash)) }
        _ = access.reload()
        return token
    }
}
