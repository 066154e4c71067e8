internal import FoundationEssentials

/// The blocks of a file in PEM form (RFC 7468): `-----BEGIN CERTIFICATE-----`, Base64, `-----END CERTIFICATE-----`.
struct PEM {
    struct Block: Equatable {
        /// What the block says it is, such as `CERTIFICATE`.
        let label: String
        /// Whether it takes a passphrase to read the content.
        let isEncrypted: Bool
        /// The decoded content; nil where the end of the block is missing, or the content is no Base64.
        let content: [UInt8]?
    }

    /// The blocks in order. Text between them is ignored.
    let blocks: [Block]

    init(_ bytes: [UInt8]) {
        var blocks: [Block] = []
        var lines = bytes.split(separator: UInt8(ascii: "\n"))[...]
        while let line = lines.popFirst() {
            guard let label = Self.label(of: line, "BEGIN") else { continue }
            var body: [UInt8] = []
            var isEncrypted = label == "ENCRYPTED PRIVATE KEY"
            var isWhole = false
            while !isWhole, let line = lines.popFirst() {
                isWhole = Self.label(of: line, "END") == label
                if line.starts(with: "Proc-Type:".utf8) { isEncrypted = true }
                // Lines with a colon are headers, not content.
                if !isWhole, !line.contains(UInt8(ascii: ":")) {
                    body += line.filter { ![0x20, 0x09, 0x0D].contains($0) }
                }
            }
            let content = isWhole ? Data(base64Encoded: Data(body)).map { Array($0) } : nil
            blocks.append(Block(label: label, isEncrypted: isEncrypted, content: content))
        }
        self.blocks = blocks
    }

    /// The label of a line that begins or ends a block.
    private static func label(of line: ArraySlice<UInt8>, _ word: String) -> String? {
        let text = String(decoding: line.filter { $0 != 0x0D }, as: UTF8.self)
        guard text.hasPrefix("-----\(word) "), text.hasSuffix("-----"), text.count > word.count + 11 else { return nil }
        return String(text.dropFirst(word.count + 6).dropLast(5))
    }
}

extension PEM.Block {
    /// Whether the block is a certificate, under one of the labels that OpenSSL accepts.
    var isCertificate: Bool { ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"].contains(label) }

    /// Whether the block is a private key of any kind.
    var isKey: Bool { label.hasSuffix("PRIVATE KEY") }

    /// Whether the content is a sequence in DER that begins with a value of this kind. In a trusted certificate more
    /// may follow the sequence.
    func isSequence(beginningWith tag: UInt8) -> Bool {
        guard let content, content.count > 2, content[0] == 0x30 else { return false }
        // The second byte is the length up to 127. Above, it is the number of bytes that the length takes.
        let isLong = content[1] > 127
        let head = 2 + (isLong ? Int(content[1] & 0x7F) : 0)
        guard head <= 6, content.count > head else { return false }
        let length = isLong ? content[2..<head].reduce(0) { $0 << 8 | Int($1) } : Int(content[1])
        let isSpanning = label.hasPrefix("TRUSTED") ? head + length <= content.count : head + length == content.count
        return isSpanning && length > 0 && content[head] == tag
    }
}
