internal import TimerProtocol

/// A page of the site: its file, and the address that shows it.
package enum Page: String, CaseIterable, Sendable {
    case rooms
    case display
    case remote
    case edit
    case report
    case agenda
    case displays
    case settings
    case login

    /// The file in the folder of the pages.
    package var file: String { self == .rooms ? "index.html" : "\(rawValue).html" }

    /// The address as the router has it; `{id}` stands for a node.
    package var pattern: String {
        switch self {
        case .rooms: "/"
        case .display: "/n/{id}"
        case .remote, .edit, .report: "/n/{id}/\(rawValue)"
        case .agenda, .displays, .settings, .login: "/\(rawValue)"
        }
    }

    /// The relative way from the page to the root of the site.
    package var wayToRoot: String { Self.wayToRoot(from: pattern) }

    /// The relative way from a path, which begins with a slash, to the root of the site.
    package static func wayToRoot(from path: some StringProtocol) -> String {
        let depth = path.utf8.count { $0 == UInt8(ascii: "/") }
        return depth <= 1 ? "./" : String(repeating: "../", count: depth - 1)
    }

    /// The page at an address, and the node that it is about.
    ///
    /// - Parameter path: the path below the root, without a slash in front: `n/lectern/remote`.
    /// - Returns: nil where there is no page.
    package static func at(_ path: some StringProtocol) -> (page: Page, node: String?)? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if parts.first == "n", parts.count > 1 {
            guard Identifier.isValid(parts[1]), parts.count <= 3 else { return nil }
            if parts.count == 2 { return (.display, String(parts[1])) }
            guard let page = Page(rawValue: String(parts[2])), [.remote, .edit, .report].contains(page) else {
                return nil
            }
            return (page, String(parts[1]))
        }
        guard parts.count <= 1 else { return nil }
        if path.isEmpty { return (.rooms, nil) }
        guard let page = Page(rawValue: String(path)), [.agenda, .displays, .settings, .login].contains(page) else {
            return nil
        }
        return (page, nil)
    }
}
