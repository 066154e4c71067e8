/// A document that tells whether it is whole.
package enum NumberedDocument {
    /// Some pages, each number of which has another length.
    package static func bytes(_ number: Int) -> [UInt8] {
        Array(String(repeating: "\(number) ", count: 1000 + number % 1000).utf8)
    }

    /// The number of a document that is whole.
    package static func number(in document: [UInt8]) -> Int? {
        let first = Int(String(decoding: document.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
        return first.flatMap { bytes($0) == document ? $0 : nil }
    }
}
