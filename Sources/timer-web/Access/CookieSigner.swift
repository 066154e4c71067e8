/// Signs the texts of cookies, `TEXT~HMAC`, so that nobody else can make one.
struct CookieSigner {
    /// What a cookie is for. One for something else is refused.
    enum Purpose: String {
        case session, view
    }

    /// The server's key, in hexadecimal digits.
    let key: String
    let purpose: Purpose

    /// The cookie for a text that has no `~`.
    func cookie(for text: String) -> String { "\(text)~\(signature(of: text))" }

    /// The text of a cookie; nil where somebody else has made or changed it.
    func text(of cookie: String) -> String? {
        let parts = cookie.split(separator: "~", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, cookie.utf8.count <= 512, Crypto.areEqual(parts[1], signature(of: parts[0])) else {
            return nil
        }
        return parts[0]
    }

    private func signature(of text: String) -> String { Crypto.code(of: "\(purpose.rawValue):\(text)", key: key) }
}
