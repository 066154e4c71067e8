internal import Foundation
internal import Testing
internal import TimerProtocol
internal import WebCore

@testable internal import timer_web

@Suite("A message that is kept for all remotes", .timeLimit(.minutes(5)))
struct KeptMessageTests {
    @Test("is there for each of them until one removes it, and after a restart")
    func kept() async throws {
        try await RunningServer.run { server in
            let cookie = try await server.logIn(.remote)
            #expect(try await server.messages(cookie) == [])
            for text in ["Please wrap up", "Ende 💡", "Please wrap up"] {
                #expect(try await server.post("{\"text\": \"\(text)\"}", cookie).status == 200)
            }
            #expect(try await server.messages(try await server.logIn(.operator)) == ["Please wrap up", "Ende 💡"])
            let answer = try await server.post("{\"text\": \"Please wrap up\", \"keep\": false}", cookie)
            #expect(answer.body.contains("{\"messages\":[\"Ende 💡\"]}"), "\(answer)")
            // Another server that uses the same folder reads the same file.
            #expect(try MessageFile(directory: server.file.directory).read().messages == ["Ende 💡"])
        }
    }

    @Test(
        "is refused with a reason, and changes nothing",
        arguments: [
            ("{}", #"field \"text\" is missing"#), ("{\"text\": \"\"}", "expected a message"),
            ("{\"text\": 7}", #"field \"text\": found 7"#), ("[]", "found an array"),
            ("{\"text\": \"\(String(repeating: "x", count: 201))\"}", #"field \"text\": found 201"#),
        ])
    func refused(body: String, reason: String) async throws {
        try await RunningServer.run { server in
            let cookie = try await server.logIn(.remote)
            let answer = try await server.post(body, cookie)
            #expect(answer.status == 422 && answer.body.contains(reason), "\(answer)")
            #expect(try await server.messages(cookie) == [])
        }
    }

    @Test("is refused when there are 50 already")
    func full() async throws {
        try await RunningServer.run { server in
            let cookie = try await server.logIn(.remote)
            for number in 1...50 { #expect(try await server.post("{\"text\": \"\(number)\"}", cookie).status == 200) }
            let answer = try await server.post("{\"text\": \"51\"}", cookie)
            #expect(answer.status == 422 && answer.body.contains("remove one first"), "\(answer)")
            #expect(try await server.messages(cookie).count == 50)
        }
    }

    @Test("is not for viewers, and does not overwrite a file that cannot be read")
    func protected() async throws {
        try await RunningServer.run { server in
            let viewer = try await server.logIn(.viewer)
            #expect(try await server.post("{\"text\": \"Hello\"}", viewer).status == 403)
            #expect(try await server.send("GET", "/api/messages", ["Cookie": viewer]).status == 403)
            let path = server.file.directory + "/messages.json"
            try "{\"messages\": 7}".write(toFile: path, atomically: true, encoding: .utf8)
            let answer = try await server.post("{\"text\": \"Hello\"}", try await server.logIn(.remote))
            #expect(
                answer.status == 500 && answer.body.contains(#"messages.json: field \"messages\": found 7"#),
                "\(answer)")
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "{\"messages\": 7}")
        }
    }
}

extension RunningServer {
    fileprivate func post(_ body: String, _ cookie: String) async throws -> Answer {
        try await send("POST", "/api/messages", ["Cookie": cookie], body: body)
    }

    fileprivate func messages(_ cookie: String) async throws -> [String] {
        try KeptMessages(Array(try await send("GET", "/api/messages", ["Cookie": cookie]).body.utf8)).messages
    }
}
