internal import Testing

@testable internal import timer_web

@Suite("The signature of a cookie")
struct CookieSignerTests {
    private let signer = CookieSigner(key: "0a0b", purpose: .session)

    @Test("becomes invalid with a changed character, another key, or another purpose")
    func forged() {
        let text = "remote.1790000000.1.9f86"
        let cookie = signer.cookie(for: text)
        #expect(signer.text(of: cookie) == text)
        for forged in [
            cookie.replacing("remote", with: "operator"), "", "~", text, text + "~", cookie + "~", cookie + "x",
            String(cookie.dropLast()), CookieSigner(key: "0a0c", purpose: .session).cookie(for: text),
            CookieSigner(key: "0a0b", purpose: .view).cookie(for: text),
            signer.cookie(for: String(repeating: "x", count: 512)),
        ] {
            #expect(signer.text(of: forged) == nil, "\(forged)")
        }
    }
}
