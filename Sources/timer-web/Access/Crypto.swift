internal import CCrypto
internal import HTTPTypes
internal import Hummingbird
internal import WebCore

/// The libcrypto functions that the server uses.
enum Crypto {
    /// The SHA-256 digest of a byte sequence, as 32 bytes.
    static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        // SAFETY: the call reads the bytes and writes 32 of them into the array.
        _ = unsafe SHA256(bytes, bytes.count, &digest)
        return digest
    }

    /// The hash that identifies a token: its SHA-256 digest in hexadecimal digits.
    static func hash(ofToken token: String) -> String { hexadecimal(sha256(Array(token.utf8))) }

    /// The HMAC-SHA-256 of a string, in hexadecimal digits.
    static func code(of text: String, key: String) -> String {
        let (key, text) = (Array(key.utf8), Array(text.utf8))
        var code = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        // SAFETY: the call reads the key and the string, and writes the length and 32 bytes, the size of a SHA-256
        // digest.
        _ = unsafe HMAC(EVP_sha256(), key, Int32(key.count), text, text.count, &code, &length)
        return hexadecimal(code)
    }

    /// Compares two strings in a time that depends only on their lengths.
    static func areEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        // SAFETY: the call reads only as many bytes as each array has.
        return unsafe one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
    }

    /// Cryptographically secure random bytes; nil if the system cannot provide any.
    static func random(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        // SAFETY: the call writes as many bytes as the array has.
        return unsafe RAND_bytes(&bytes, Int32(count)) == 1 ? bytes : nil
    }

    /// Encodes bytes as hexadecimal digits.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}

/// Signs the content of cookies as `TEXT~HMAC`, so that no client can forge one.
struct CookieSigner {
    /// The purpose of a cookie. A cookie for another purpose is refused.
    enum Purpose: String {
        case session, view
    }

    /// The server's key, in hexadecimal digits.
    let key: String
    let purpose: Purpose

    /// The cookie for a string, which must not contain `~`.
    func cookie(for text: String) -> String { "\(text)~\(signature(of: text))" }

    /// The content of a cookie; nil if the cookie was forged or changed.
    func text(of cookie: String) -> String? {
        let parts = cookie.split(separator: "~", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, cookie.utf8.count <= 512, Crypto.areEqual(parts[1], signature(of: parts[0])) else {
            return nil
        }
        return parts[0]
    }

    private func signature(of text: String) -> String { Crypto.code(of: "\(purpose.rawValue):\(text)", key: key) }
}

/// Opens a display for a client with a token in the address, such as OBS or a kiosk, which cannot type a PIN.
///
/// The token becomes a cookie for this node's display, and the browser is redirected to the same address without the
/// token. So the token neither stays in the history nor is visible to other sites or scripts.
struct ViewTokens: RouterMiddleware {
    let access: AccessControl
    /// How long the cookie lasts: a year. Removing the token ends it at once.
    private static let lifetime = 365 * 86_400

    @concurrent func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard request.method == .get, let (page, node) = Page.at(request.uri.path.dropFirst()), page.isDisplay,
            let node, let query = request.uri.query, let token = request.uri.queryParameters["token"]
        else { return try await next(request, context) }
        guard let cookie = access.viewCookie(token: String(token), node: node) else {
            throw HTTPError(.unauthorized, message: "This link is no longer valid")
        }
        let rest = query.split(separator: "&").filter { !$0.hasPrefix("token=") }.joined(separator: "&")
        let address = page == .display ? node : page.rawValue
        var response = Response(status: .seeOther, headers: [.location: address + (rest.isEmpty ? "" : "?\(rest)")])
        // It may be used in frames on other sites, because a display can only be viewed.
        response.headers[.setCookie] = access.cookie(
            RequestCredentials.view + node, cookie, for: Self.lifetime, isForFrames: true, context)
        return response
    }
}
