internal import Testing
internal import TimerProtocol
internal import WebCore

@testable internal import timer_web

/// A client that sends requests, and its role.
private struct Person: Sendable, CustomStringConvertible {
    let description: String
    /// Nil for no role.
    let role: Role?
    /// Whether the client is authenticated, so that an error does not ask it to log in.
    let isKnown: Bool
    /// Whether its only credential is a token, so that it gets no more rights than the token's even if more is open to
    /// everybody.
    var isProgram = false
    let fields: @Sendable (RunningServer) async throws -> [String: String]
    /// Whether it has opened a display with a token, which matters if viewing is not open.
    var isKiosk: Bool { description.contains("kiosk") }

    static let all: [Person] = [
        Person(description: "nobody", role: nil, isKnown: false) { _ in [:] },
        Person(description: "a viewer by PIN", role: .viewer, isKnown: true) {
            ["Cookie": try await $0.logIn(.viewer)]
        },
        Person(description: "a remote by PIN", role: .remote, isKnown: true) {
            ["Cookie": try await $0.logIn(.remote)]
        },
        Person(description: "an operator by PIN", role: .operator, isKnown: true) {
            ["Cookie": try await $0.logIn(.operator)]
        },
        Person(description: "a program that views", role: .viewer, isKnown: true, isProgram: true) {
            ["Authorization": "Bearer \(try $0.token("v", .viewer))", "Origin": ""]
        },
        Person(description: "a program that is a remote", role: .remote, isKnown: true, isProgram: true) {
            ["Authorization": "Bearer \(try $0.token("r", .remote))", "Origin": ""]
        },
        Person(description: "a program that operates", role: .operator, isKnown: true, isProgram: true) {
            ["Authorization": "Bearer \(try $0.token("o", .operator))", "Origin": ""]
        },
        Person(description: "a program with a wrong token", role: nil, isKnown: false, isProgram: true) { _ in
            ["Authorization": "Bearer tw_wrong"]
        },
        Person(description: "a kiosk with an operator's token", role: .viewer, isKnown: true) {
            let token = try $0.token("kiosk", .operator, nodes: ["lectern"])
            let cookie = try await $0.send("GET", "/n/lectern?token=\(token)").fields["set-cookie"]
            return ["Cookie": String(try #require(cookie).prefix { $0 != ";" })]
        },
        Person(description: "a browser with a forged cookie", role: nil, isKnown: false) { _ in
            ["Cookie": "timer_web_session=operator.9999999999.1.abc~00"]
        },
    ]
}

// Each server uses a file system watch on its folder, and a user may have only 128 watches.
@Suite("Who may use what", .serialized)
struct RouteTests {
    @Test("matches the API document, which names every address")
    func table() async throws {
        try await RunningServer.run { server async throws in
            let routes = server.routes
            let described = Set(APIRoute.allCases.map { "\($0.rules.method.uppercased()) \($0.rules.path)" })
            let pages = Set(Page.allCases.map(\.pattern)).union(["/assets/**", "/favicon.svg", "/manifest.webmanifest"])
            let served = Set(routes.filter { !pages.contains($0.path) }.map { "\($0.method) \($0.path)" })
            #expect(served == described)
        }
    }

    /// The role that is open to everybody, by configuration.
    private static let openRoles: [(web: String, role: Role?)] = [
        ("{view: pin}", nil), ("{}", .viewer), ("{remote: open}", .remote),
    ]

    @Test("holds for each address and client, whatever is open", arguments: Person.all, openRoles)
    fileprivate func routes(person: Person, open: (web: String, role: Role?)) async throws {
        try await RunningServer.run(web: open.web) { server async throws in
            let fields = try await person.fields(server)
            var person = person
            if !person.isProgram, let role = open.role, person.isKiosk || person.role.map({ $0 < role }) ?? true {
                person = Person(description: person.description, role: role, isKnown: false, fields: person.fields)
            }
            let isForged = person.description.contains("wrong token")
            for (route, role) in APIRoute.allCases.map({ ($0.rules, $0.role) })
            where route.path.hasPrefix("/api/") && route.method != "delete" {
                let path = route.path.replacing("{id}", with: "lectern").replacing("{verb}", with: "start")
                let query = path.hasSuffix("qr.svg") ? "?path=agenda" : ""
                let body = route.body.map { $0 == "Blackout" ? "{\"on\":true}" : $0 == "Login" ? "{}" : "{}" }
                let answer = try await server.send(route.method.uppercased(), path + query, fields, body: body)
                let isRefused = [401, 403].contains(answer.status)
                let isAllowed =
                    !isForged && role.map { needed in person.role.map { $0 >= needed } ?? false } ?? true
                #expect(isRefused == !isAllowed, "\(person): \(route.method) \(path): \(answer.status)")
                if !isAllowed { #expect(answer.status == (person.isKnown ? 403 : 401), "\(person): \(path)") }
                #expect(answer.status < 500 || [502, 503, 504].contains(answer.status), "\(path): \(answer)")
            }
        }
    }

    /// The commands that web.md allows each role. Without a broker, an allowed command ends with 503.
    private static let verbs: [(Role?, [String])] = [
        (
            .remote,
            [
                "start", "pause", "resume", "toggle", "stop", "end", "rewind", "fast_forward", "next", "previous",
                "select",
                "set", "add", "began", "undo", "entry", "switch", "reset_accounts", "silence", "speaker", "message",
                "identify", "state", "runs",
            ]
        ),
        (
            .operator,
            [
                "edit", "timers", "reset_timers", "agenda", "begin", "programme", "lock", "unlock", "beep", "sync",
                "lamp_test",
            ]
        ),
        (nil, ["clear_runs", "time", "all", "format_disk", "START"]),
    ]

    @Test("holds for each command and client", arguments: Person.all)
    fileprivate func commands(person: Person) async throws {
        let known = Self.verbs.flatMap(\.1)
        #expect(Verb.allCases.allSatisfy { known.contains($0.rawValue) })
        let all = Self.verbs.flatMap { needed, verbs in verbs.map { (needed, $0) } }
        // A server accepts ten commands a second from each client, so each server gets only a few of them.
        for start in stride(from: 0, to: all.count, by: 8) {
            try await RunningServer.run(web: "{view: pin}") { server async throws in
                let fields = try await person.fields(server)
                for (needed, verb) in all[start...].prefix(8) {
                    let answer = try await server.send(
                        "POST", "/api/nodes/lectern/commands/\(verb)", fields, body: "{}")
                    let expected =
                        person.role == nil ? 401 : needed == nil ? 404 : (person.role ?? .viewer) < needed! ? 403 : 503
                    #expect(answer.status == expected, "\(person): \(verb): \(answer.body)")
                }
            }
        }
    }

    @Test("also depends on the arguments of a command")
    func arguments() async throws {
        try await RunningServer.run { server async throws in
            let remote = ["Cookie": try await server.logIn(.remote)]
            let operating = ["Cookie": try await server.logIn(.operator)]
            for (verb, body, forRemote, forOperator) in [
                ("start", "{\"duration\": 60}", 403, 503), ("start", "{\"timer\": \"1/1\"}", 503, 503),
                ("lamp_test", "{\"force\": true}", 404, 404), ("lamp_test", "{}", 403, 503),
            ] {
                let path = "/api/nodes/lectern/commands/\(verb)"
                #expect(try await server.send("POST", path, remote, body: body).status == forRemote, "\(verb) \(body)")
                #expect(
                    try await server.send("POST", path, operating, body: body).status == forOperator, "\(verb) \(body)")
            }
            for node in ["all", "@hall", "%40hall", "Lectern", "a/b"] {
                let path = "/api/nodes/\(node)/commands/start"
                #expect(try await server.send("POST", path, operating, body: "{}").status == 404, "\(node)")
            }
        }
    }

    @Test(
        "excludes streams for invalid node ids, which keeps nonsense out of the list of displays",
        arguments: ["all", "Hall", "-a", "%40hall", "a%20b", String(repeating: "a", count: 64)])
    func streams(node: String) async throws {
        try await RunningServer.run { server async throws in
            #expect(try await server.send("GET", "/api/events?display=&node=\(node)").status == 404)
        }
    }

    @Test("allows a display only with a node")
    func displayWithoutNode() async throws {
        try await RunningServer.run { server async throws in
            for query in ["display=x", "display=", "display=x&node="] {
                let answer = try await server.send("GET", "/api/events?\(query)")
                #expect(answer.status == (query.hasSuffix("node=") ? 404 : 422), "\(query)")
            }
            let operating = ["Cookie": try await server.logIn(.operator)]
            #expect(try await server.send("GET", "/api/displays", operating).body == #"{"displays":[]}"#)
        }
    }

    @Test("is limited to the nodes of a token, and of the configuration")
    func nodes() async throws {
        try await RunningServer.run(web: "{nodes: [lectern, stage]}") { server async throws in
            let token = ["Authorization": "Bearer \(try server.token("one", .operator, nodes: ["lectern", "hidden"]))"]
            let operating = ["Cookie": try await server.logIn(.operator)]
            func status(_ node: String, _ fields: [String: String]) async throws -> Int {
                try await server.send("POST", "/api/nodes/\(node)/commands/start", fields, body: "{}").status
            }
            #expect(try await status("lectern", token) == 503)
            #expect(try await status("stage", token) == 404)
            #expect(try await status("hidden", token) == 404)
            #expect(try await status("stage", operating) == 503)
            #expect(try await status("hidden", operating) == 404)
        }
    }
}
