internal import CCrypto

/// What libcrypto does for us.
enum Crypto {
    /// SHA-256 of some bytes; 32 bytes.
    static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        // SAFETY: the call reads the bytes and writes 32 of them into the array.
        _ = unsafe SHA256(bytes, bytes.count, &digest)
        return digest
    }

    /// What a token is known by: its SHA-256 in hexadecimal digits.
    static func hash(ofToken token: String) -> String { hexadecimal(sha256(Array(token.utf8))) }

    /// HMAC-SHA-256 of a text, in hexadecimal digits.
    static func code(of text: String, key: String) -> String {
        let (key, text) = (Array(key.utf8), Array(text.utf8))
        var code = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        // SAFETY: the call reads the key and the text, and writes 32 bytes, which is what SHA-256 has, and the length.
        _ = unsafe HMAC(EVP_sha256(), key, Int32(key.count), text, text.count, &code, &length)
        return hexadecimal(code)
    }

    /// Compares texts in a time that depends on their lengths alone.
    static func areEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        // SAFETY: the call reads as many bytes as both arrays have.
        return unsafe one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
    }

    /// Random bytes that nobody can guess; nil where the system has none.
    static func random(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        // SAFETY: the call writes as many bytes as the array has.
        return unsafe RAND_bytes(&bytes, Int32(count)) == 1 ? bytes : nil
    }

    /// Some bytes in hexadecimal digits.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
