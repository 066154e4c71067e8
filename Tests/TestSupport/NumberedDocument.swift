/// A document whose contents show whether it is complete.
package enum NumberedDocument {
    /// Returns the document with this number. It is a few pages long; its length depends on the number.
    package static func bytes(_ number: Int) -> [UInt8] {
        Array(String(repeating: "\(number) ", count: 1000 + number % 1000).utf8)
    }

    /// Returns the number of the last complete document in a file that has one document per line; nil if none is
    /// complete.
    package static func number(in file: [UInt8]) -> Int? {
        file.split(separator: UInt8(ascii: "\n")).reversed().lazy.compactMap { document in
            let first = Int(String(decoding: document.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
            return first.flatMap { bytes($0) == Array(document) ? $0 : nil }
        }.first
    }

    /// Whether a file ends with a complete document.
    package static func isComplete(_ file: [UInt8]) -> Bool {
        number(in: file).map { file.suffix(bytes($0).count) == bytes($0)[...] } ?? false
    }
}
