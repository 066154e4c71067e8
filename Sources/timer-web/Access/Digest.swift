internal import CCrypto

/// SHA-256, by libcrypto.
enum Digest {
    /// The digest of some bytes; 32 bytes.
    static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        // SAFETY: the call reads the bytes and writes 32 of them into the array.
        _ = unsafe SHA256(bytes, bytes.count, &digest)
        return digest
    }

    /// Some bytes in hexadecimal digits.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
