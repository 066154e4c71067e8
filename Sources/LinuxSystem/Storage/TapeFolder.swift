package import NodePorts

/// The files of a tape: a ring of segments, of which the oldest are removed.
///
/// The calls block on the disk; ``BackgroundTape`` makes them on a background thread.
package struct TapeFolder: ~Copyable {
    private static let prefix = "tape-"
    /// More than a segment can have.
    private static let maximumSize = 1 << 30
    private let path: StatePath
    /// The maximum size of all segments together, in bytes.
    private let size: Int
    /// The segments on the disk and their sizes, the oldest first.
    private var segments: [(name: String, size: Int)]?
    private var file: FileDescriptor?

    /// Keeps a tape in a folder, which is created with the first segment.
    package init(directory: String, size: Int) {
        path = StatePath(directory)
        self.size = size
    }

    /// Begins a new segment, and removes old ones so that this one fits.
    ///
    /// - Parameter room: the size that the segment will have, in bytes.
    package mutating func begin(room: Int) throws(StoreError) {
        file = nil
        guard let folder = try StateFolder(path, createIfMissing: true) else { return }
        var segments = self.segments ?? []
        if self.segments == nil {
            for name in try Self.names(in: folder) { segments.append((name, folder.size(of: name))) }
        }
        let last = segments.last.flatMap { Int($0.name.dropFirst(Self.prefix.count)) } ?? 0
        while let oldest = segments.first, segments.reduce(room, { $0 + $1.size }) > size {
            try folder.remove(oldest.name)
            segments.removeFirst()
        }
        let digits = String(last + 1)
        let name = Self.prefix + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        file = try folder.write([], to: name)
        segments.append((name, 0))
        self.segments = segments
    }

    /// Appends to the current segment. The system writes the bytes to the disk later.
    package mutating func append(_ bytes: [UInt8]) throws(StoreError) {
        guard let file = file.take(), let last = segments?.indices.last else { return }
        do throws(SystemError) { try file.write(bytes) } catch {
            try? endIncomplete(last)
            throw StoreError("cannot write the tape in \(path.text): \(SystemError.text(error.code))")
        }
        segments?[last].size += bytes.count
        self.file = consume file
    }

    /// Removes the current segment if it is empty, as on a full disk; otherwise a part of the last bytes may be in it.
    private mutating func endIncomplete(_ last: Int) throws(StoreError) {
        guard let name = segments?[last].name, let folder = try StateFolder(path, createIfMissing: false) else {
            return
        }
        let size = folder.size(of: name)
        segments?[last].size = size
        guard size == 0 else { return }
        try folder.remove(name)
        segments?.removeLast()
    }

    /// Reads all segments of the tape in a folder, the oldest first.
    ///
    /// - Throws: ``StoreError`` if there is no such folder, or a file cannot be read.
    package static func read(_ directory: String) throws(StoreError) -> [[UInt8]] {
        guard let folder = try StateFolder(StatePath(directory), createIfMissing: false) else {
            throw StoreError("cannot open \(directory): there is no such folder")
        }
        var files: [[UInt8]] = []
        for name in try names(in: folder) {
            if let file = try folder.read(name, upTo: maximumSize) { files.append(file) }
        }
        return files
    }

    private static func names(in folder: borrowing StateFolder) throws(StoreError) -> [String] {
        try folder.names().filter { name in
            name.hasPrefix(prefix) && name.count == prefix.count + 8
                && name.dropFirst(prefix.count).allSatisfy(\.isNumber)
        }.sorted()
    }
}
