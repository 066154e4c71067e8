internal import Testing
internal import TimerProtocol
internal import WebCore

@Suite("The API document")
struct OpenAPITests {
    @Test("refers only to schemas that it defines, and gives each address its own name")
    func references() {
        let text = OpenAPI.document(version: "1", server: "..").text
        for match in text.matches(of: /"#\/components\/schemas\/([A-Za-z]+)"/) {
            #expect(text.contains("\"\(match.1)\":{\"type\":\"object\""))
        }
        let names = text.matches(of: /"operationId":"([a-z_]+)"/).map { String($0.1) }
        #expect(names.count == APIRoute.allCases.count)
        #expect(Set(names).count == names.count, "\(names)")
    }

    /// The errors of some endpoints, besides those that follow from the rules of every endpoint.
    private static let ownErrors: [APIRoute: Set<Int>] = [
        .logIn: [503], .command: Set(Refusal.Code.allCases.map(\.httpStatus)).union([502, 503, 504]),
        .events: [404, 422, 503], .runs: [422, 504], .runsCSV: [422, 504], .messages: [500], .keepMessage: [500],
        .qr: [404, 422], .metrics: [403],
    ]

    @Test("names the statuses with which an endpoint answers", arguments: APIRoute.allCases)
    func statuses(route: APIRoute) throws {
        let rules = route.rules
        let isChange = rules.method != "get"
        var statuses: Set<Int> = [route == .logOut ? 204 : 200, 400, 401, 421, 429, 431]
        if isChange || (route.role ?? .viewer) > .viewer { statuses.insert(403) }
        if rules.path.contains("{id}") { statuses.insert(404) }
        if isChange { statuses.insert(415) }
        if rules.body != nil { statuses.formUnion([413, 422]) }
        statuses.formUnion(Self.ownErrors[route] ?? [])
        let document = OpenAPI.document(version: "1", server: "..")
        let responses = try #require(document["paths"]?[rules.path]?[rules.method]?["responses"])
        let named = Set(responses.keys.compactMap { Int($0) })
        #expect(statuses.isSubset(of: named))
    }

    @Test("describes the body that an endpoint takes, which only a login needs", arguments: APIRoute.allCases)
    func body(route: APIRoute) {
        let rules = route.rules
        let expected = rules.body.map { name -> JSON in
            let schema: JSON = ["$ref": .string("#/components/schemas/\(name)")]
            return ["required": .bool(route == .logIn), "content": ["application/json": ["schema": schema]]]
        }
        let document = OpenAPI.document(version: "1", server: "..")
        #expect(document["paths"]?[rules.path]?[rules.method]?["requestBody"] == expected)
    }

    @Test(
        "knows the methods of an address",
        arguments: [
            ("/api/session", ["GET", "POST", "DELETE"]), ("/api/nodes/lectern", ["GET"]),
            ("/n/lectern", ["GET", "HEAD"]),
            ("/api/nodes/lectern/commands/start", ["POST"]), ("/api/x", []), ("/x", []),
        ])
    func methods(path: String, methods: [String]) { #expect(APIRoute.methods(at: path) == methods) }
}
