internal import TimerProtocol

/// A page of the site: its file, and its address.
package enum Page: String, CaseIterable, Sendable {
    case rooms
    case display
    /// The display for old browsers.
    case plain
    case remote
    case edit
    case report
    case programme
    case agenda
    case displays
    case settings
    case about
    case login
    /// For developers: what the pages are made of.
    case styleguide

    /// The page's file in the folder with the pages.
    package var file: String { self == .rooms ? "index.html" : "\(rawValue).html" }

    /// The address as a pattern for the router; `{id}` stands for a node.
    package var pattern: String {
        switch self {
        case .rooms: "/"
        case .display: "/n/{id}"
        case .plain, .remote, .edit, .report, .programme: "/n/{id}/\(rawValue)"
        case .agenda, .displays, .settings, .about, .login, .styleguide: "/\(rawValue)"
        }
    }

    /// Whether the page only shows a node: other sites may show it in a frame, and a token in a link opens it.
    package var isDisplay: Bool { self == .display || self == .plain }

    /// Whether the page belongs to a node, besides its display.
    private var isOfNode: Bool { pattern.hasPrefix("/n/{id}/") }

    /// The relative path from the page to the root of the site.
    package var wayToRoot: String { Self.wayToRoot(from: pattern) }

    /// The relative path to the root of the site from a path that begins with a slash.
    package static func wayToRoot(from path: some StringProtocol) -> String {
        let depth = path.utf8.count { $0 == UInt8(ascii: "/") }
        return depth <= 1 ? "./" : String(repeating: "../", count: depth - 1)
    }

    /// Finds the page at an address, and the node that it belongs to.
    ///
    /// - Parameter path: the path below the root, without a leading slash: `n/lectern/remote`.
    /// - Returns: nil if there is no such page.
    package static func at(_ path: some StringProtocol) -> (page: Page, node: String?)? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if parts.first == "n", parts.count > 1 {
            guard Identifier.isValid(parts[1]), parts.count <= 3 else { return nil }
            if parts.count == 2 { return (.display, String(parts[1])) }
            guard let page = Page(rawValue: String(parts[2])), page.isOfNode else {
                return nil
            }
            return (page, String(parts[1]))
        }
        guard parts.count <= 1 else { return nil }
        if path.isEmpty { return (.rooms, nil) }
        guard let page = Page(rawValue: String(path)), page.pattern == "/\(page.rawValue)" else { return nil }
        return (page, nil)
    }
}

/// The path of a request, decoded once and checked.
///
/// All addresses of the site consist of letters, digits, `-`, `_`, `.` and `~`. Any other path is refused before it is
/// compared with anything, so no later code needs to consider `..` or nested escapes.
package enum RequestPath: Hashable, Sendable {
    /// The path below the base, with a leading slash.
    case inside(String)
    /// A directory's name without a trailing slash, or a page's with one: the relative address to redirect to.
    case elsewhere(String)

    /// Checks a path.
    ///
    /// - Parameters:
    ///   - raw: the path as it was sent, without the query.
    ///   - base: the site's path as browsers see it: `/`, or for example `/timer/`. A proxy may leave it in the path or
    ///     strip it.
    /// - Returns: nil if nothing can exist at this path.
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

    /// The path with each escape such as `%41` decoded once; nil if the result contains a byte that no address of the
    /// site contains.
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
