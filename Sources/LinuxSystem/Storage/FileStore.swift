package import NodePorts

/// Stores the document in a file and replaces it atomically: write a new file, sync it, rename it, sync the folder.
///
/// Its calls block on the disk; ``BackgroundStore`` makes them on a background thread.
package final class FileStore: Sendable {
    private let directory: StatePath
    private let name: String
    private let runsName: String

    /// Creates a store in a folder. The folder and its parents are created when the first document is saved.
    package init(directory: String, name: String = "state.json") {
        self.directory = StatePath(directory)
        self.name = name
        runsName = "runs.json"
    }

    /// Reads the file; nil if there is none.
    ///
    /// - Throws: ``StoreError`` if it cannot be read, or is a symbolic link or not a regular file.
    package func load() throws(StoreError) -> [UInt8]? { try load(name) }

    /// Reads the file of the runs; nil if there is none.
    ///
    /// - Throws: ``StoreError`` as ``load()`` does.
    package func loadRuns() throws(StoreError) -> [UInt8]? { try load(runsName) }

    private func load(_ name: String) throws(StoreError) -> [UInt8]? {
        guard let folder = try StateFolder(directory, createIfMissing: false) else { return nil }
        return try folder.read(name, upTo: StoreLimits.documentSize)
    }

    /// Writes a new file and renames it over the old one.
    ///
    /// - Throws: ``StoreError`` if it cannot be written, or has more bytes than are read.
    package func save(_ document: [UInt8]) throws(StoreError) { try save(document, as: name) }

    /// Writes a new file of the runs and renames it over the old one.
    package func save(runs document: [UInt8]) throws(StoreError) { try save(document, as: runsName) }

    private func save(_ document: [UInt8], as name: String) throws(StoreError) {
        guard document.count <= StoreLimits.documentSize else {
            throw StoreError(
                "cannot write \(directory.text)/\(name): it would have \(document.count) bytes, of which "
                    + "\(StoreLimits.documentSize) are read")
        }
        guard let folder = try StateFolder(directory, createIfMissing: true) else { return }
        try folder.write(document, to: name + ".new")
        try folder.rename(name + ".new", to: name)
    }

    /// Renames the file to `state.json.SUFFIX` or that of the runs to `runs.json.SUFFIX`, or writes the new file `timers.SUFFIX.json` beside it.
    ///
    /// - Returns: the resulting path, or a text that says that there is nothing to move any more.
    package func setAside(_ what: SetAside) throws(StoreError) -> String {
        guard let folder = try StateFolder(directory, createIfMissing: true) else { return directory.text }
        let file: String
        switch what {
        case .document(let suffix), .runs(let suffix):
            let name = if case .runs = what { runsName } else { self.name }
            // Another process may have removed it since an earlier attempt failed.
            guard folder.exists(name) else { return "nothing, as it is gone" }
            file = Self.firstUnusedName(in: folder) { "\(name).\(suffix)\($0)" }
            try folder.rename(name, to: file)
        case .edits(let timers, let suffix):
            file = Self.firstUnusedName(in: folder) { "timers.\(suffix)\($0).json" }
            try folder.write(timers, to: file)
            try folder.sync()
        }
        return "\(directory.text)/\(file)"
    }

    /// The first unused name, trying the suffixes `""`, `-2`, `-3` and so on. No other process writes here.
    private static func firstUnusedName(in folder: borrowing StateFolder, _ name: (String) -> String) -> String {
        var (file, number) = (name(""), 1)
        while folder.exists(file) {
            number += 1
            file = name("-\(number)")
        }
        return file
    }
}
