internal import BrokerLink
internal import FoundationEssentials
internal import LinuxSystem
internal import WebCore

/// The files of the site, read once at the start.
struct Site: Sendable {
    /// By the file's path in the folder: `display.html`, `assets/live.js`.
    private let files: [String: SiteFile]
    /// What addresses have as `?v=`: a hash over all files.
    let hash: String

    /// Why there is no site.
    enum Fault: Error, CustomStringConvertible {
        case unreadable(FileError)
        /// The folder cannot be listed, or has no `index.html`.
        case noPages(folder: String)
        case tooLarge(folder: String)

        var description: String {
            switch self {
            case .unreadable(let error): "\(error)"
            case .noPages(let folder): "\(folder) has no pages: there is no index.html; name their folder with --www"
            case .tooLarge(let folder): "\(folder) has more than \(Site.maximumSize >> 20) MiB of files"
            }
        }
    }

    static let maximumSize = 32 << 20

    /// Where the pages are installed: `share/timer-web` beside the program's `bin`.
    static var installedFolder: String {
        let program =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/usr/bin/timer-web"
        let folders = program.split(separator: "/").dropLast(2)
        return (folders.isEmpty ? "" : "/" + folders.joined(separator: "/")) + "/share/timer-web"
    }

    /// Reads the folder. Hidden files, links, and files of types that no page needs are left out.
    init(folder: String) throws(Fault) {
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder) else {
            throw .noPages(folder: folder)
        }
        var contents: [(path: String, bytes: [UInt8], type: ContentType)] = []
        var size = 0
        for path in names.sorted() {
            let isHidden = path.split(separator: "/").contains { $0.hasPrefix(".") }
            guard !isHidden, let type = ContentType(of: path), Self.isRegular("\(folder)/\(path)") else { continue }
            do throws(FileError) {
                contents.append((path, try File.read("\(folder)/\(path)", upTo: Self.maximumSize - size + 1), type))
            } catch { throw .unreadable(error) }
            size += contents.last?.bytes.count ?? 0
            guard size <= Self.maximumSize else { throw .tooLarge(folder: folder) }
        }
        guard contents.contains(where: { $0.path == Page.rooms.file }) else { throw .noPages(folder: folder) }
        let everything = contents.reduce(into: [UInt8]()) { $0 += Array($1.path.utf8) + [0] + Crypto.sha256($1.bytes) }
        let hash = Crypto.hexadecimal(Crypto.sha256(everything).prefix(6))
        self.hash = hash
        files = Dictionary(
            uniqueKeysWithValues: contents.map { path, bytes, type in
                (path, SiteFile(Self.filledIn(bytes, path, hash: hash), type: type))
            })
    }

    /// The file at a path in the folder.
    subscript(path: String) -> SiteFile? { files[path] }

    /// Not a link, which could lead out of the folder.
    private static func isRegular(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeRegular
    }

    /// The content with the hash in its addresses and, in a page, the way to the root.
    private static func filledIn(_ bytes: [UInt8], _ path: String, hash: String) -> [UInt8] {
        guard [".html", ".js", ".css"].contains(where: path.hasSuffix) else { return bytes }
        var text = String(decoding: bytes, as: UTF8.self)
        if let page = Page.allCases.first(where: { $0.file == path }) {
            text = text.replacing("{{base}}", with: page.wayToRoot)
        }
        return Array(text.replacing(/\?v=(?=["'`)])/, with: "?v=\(hash)").utf8)
    }
}
