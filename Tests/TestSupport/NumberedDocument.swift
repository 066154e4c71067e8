/// A document whose contents show whether it is complete.
package enum NumberedDocument {
    /// Returns the document with this number. It is a few pages long; its length depends on the number.
    package static func bytes(_ number: Int) -> [UInt8] {
        Array(String(repeating: "\(number) ", count: 1000 + number % 1000).utf8)
    }

    /// Returns the number of a document; nil if the document is incomplete.
    package static func number(in document: [UInt8]) -> Int? {
        let first = Int(String(decoding: document.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
        return first.flatMap { bytes($0) == document ? $0 : nil }
    }
}
