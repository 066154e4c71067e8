/// The path of a request, decoded once and taken apart.
///
/// Everything that the site has is named with letters, digits, `-`, `_`, `.` and `~`. Any other path is refused before
/// it is compared with anything, so that nothing behind this has to think of `..` or of codes within codes.
package enum RequestPath: Hashable, Sendable {
    /// The path below the base, with a slash in front.
    case inside(String)
    /// A directory's name without the slash, or a page's with one: the relative address to go to.
    case elsewhere(String)

    /// Takes a path apart.
    ///
    /// - Parameters:
    ///   - raw: the path as it was sent, without the query.
    ///   - base: the path that the site is under for its browsers: `/`, or such as `/timer/`. A proxy may leave it in
    ///     the path or take it out.
    /// - Returns: nil where there can be nothing.
    package init?(_ raw: some StringProtocol, base: String = "/") {
        guard let bytes = Self.decoded(raw), bytes.first == UInt8(ascii: "/"), bytes.count <= 1024 else { return nil }
        var path = String(decoding: bytes, as: UTF8.self)
        if base != "/" {
            if path + "/" == base {
                self = .elsewhere("\(path.split(separator: "/").last ?? "")/")
                return
            }
            if path.hasPrefix(base) { path.removeFirst(base.count - 1) }
        }
        var segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let endsWithSlash = path != "/" && segments.last == ""
        if endsWithSlash || path == "/" { segments.removeLast() }
        guard segments.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return nil }
        if endsWithSlash, let last = segments.last {
            self = .elsewhere("../\(last)")
        } else {
            self = .inside(path)
        }
    }

    /// The path with each `%41` replaced once; nil where a byte is left that no address of the site has.
    private static func decoded(_ raw: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(raw.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst().flatMap(Self.digit), let low = rest.popFirst().flatMap(Self.digit)
                else {
                    return nil
                }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(byte)
            }
        }
        return bytes.allSatisfy(isPlain) ? bytes : nil
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-_.~/".utf8.contains(byte)
        }
    }
}
