/// A key that is known only at run time, such as the name of an output, with the bytes that it is written as.
package struct JSONKey: Hashable, Sendable {
    /// The key itself, by which it is found in an object.
    package let name: String
    /// The key as it is written, with quotes and colon.
    let bytes: [UInt8]

    package init(_ key: String) {
        name = key
        var writer = JSONWriter()
        writer.value(key)
        bytes = writer.bytes + [UInt8(ascii: ":")]
    }
}
