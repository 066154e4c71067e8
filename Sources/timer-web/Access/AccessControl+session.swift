internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NodeConfiguration
internal import TimerProtocol
internal import WebCore

extension AccessControl {
    /// The session data that a page receives.
    func report(_ identity: Identity?) -> [UInt8] {
        let proof = identity?.proof ?? Identity.Proof.none
        var expires: Int?
        if case .session(let ticket)? = identity?.grant { expires = ticket.expires }
        let needed = Role.allCases.map { JSON.Member(key: $0.rawValue, value: .bool(settings.needsPIN($0))) }
        let report: JSON = [
            "role": JSON(identity?.role.rawValue), "proof": .string(proof.rawValue),
            "expires": expires.map(JSON.integer) ?? .null, "needs_pin": .object(needed),
        ]
        return report.bytes
    }

    func answerLogout(_ context: WebContext) -> Response {
        if let error = context.identity.flatMap(logOut) {
            context.logger.error("cannot save the logout: \(error)")
        }
        var response = Response(status: .noContent)
        response.headers[.setCookie] = cookie(SessionTicket.cookie, "", for: 0, context)
        return response
    }

    func answerLogin(_ request: Request, _ context: WebContext) async throws(APIError) -> Response {
        let body = try await request.bytes(upTo: 1024)
        guard case .string(let pin)? = (try? JSON(parsing: body))?["pin"] else {
            throw .invalidPayload("the body must be {\"pin\": \"12345678\"}")
        }
        let login: Login
        do { login = try await logIn(pin, from: context.network) } catch {
            throw APIError(.serviceUnavailable, "unavailable", "the server is stopping")
        }
        switch login {
        case .welcome(let cookie, let identity):
            var response = Response.json(report(identity))
            response.headers[.setCookie] = self.cookie(
                SessionTicket.cookie, cookie, for: SessionTicket.lifetime, context)
            return response
        case .wrong: throw APIError(.unauthorized, "wrong_pin", "wrong PIN")
        case .tooMany(let seconds):
            throw APIError(
                .tooManyRequests, "too_many", "too many PIN attempts; try again in \(seconds) s",
                retryAfter: seconds)
        }
    }

    /// The header value that sets a cookie, which no script can read and no other site's page can use.
    ///
    /// - Parameter isForFrames: whether a frame in another site's page may use it nevertheless. Browsers accept that
    ///   over TLS only.
    func cookie(
        _ name: String, _ value: String, for seconds: Int, isForFrames: Bool = false, _ context: WebContext
    ) -> String {
        let rule =
            switch (isSecure(context), isForFrames) {
            case (true, true): "SameSite=None; Secure; Partitioned"
            case (true, false): "SameSite=Strict; Secure"
            case (false, _): "SameSite=Strict"
            }
        return "\(name)=\(value); Path=\(settings.path); Max-Age=\(seconds); HttpOnly; \(rule)"
    }

    /// Whether the browser reaches the site over TLS.
    private func isSecure(_ context: WebContext) -> Bool {
        settings.publicURL?.usesTLS ?? (context.origin?.scheme == "https")
    }
}
