package import NodePorts
internal import Synchronization

/// Stores documents in a file each.
///
/// The state changes often, so it is appended to the file that this process has written: that takes one sync instead of
/// two, and writes less than half as much to an SD card as replacing the file. A power cut can therefore leave an
/// incomplete document after the last complete one.
///
/// The calls block on the disk; ``BackgroundStore`` makes the calls on a background thread.
package final class FileStore: Sendable {
    private let directory: StatePath
    private let name: String
    private let runsName: String
    /// The size from which a new file is begun, in bytes.
    private static let fullSize = 64 * 1024
    private let stateFile = Mutex<StateFile?>(nil)

    /// The file of the state, as this process has written it.
    private struct StateFile: ~Copyable {
        let descriptor: FileDescriptor
        var size: Int
    }

    /// Creates a store in a folder. The folder and its parents are created when the first document is saved.
    package init(directory: String, name: String = "state.json") {
        self.directory = StatePath(directory)
        self.name = name
        runsName = "runs.json"
    }

    /// Reads the file; nil if it does not exist.
    ///
    /// - Returns: the document that was saved last, after earlier ones, and perhaps followed by an incomplete one.
    /// - Throws: ``StoreError`` if the file cannot be read, or is a symbolic link or not a regular file.
    package func load() throws(StoreError) -> [UInt8]? { try load(name) }

    /// Reads the runs file; nil if it does not exist.
    ///
    /// - Throws: ``StoreError`` as ``load()`` does.
    package func loadRuns() throws(StoreError) -> [UInt8]? { try load(runsName) }

    private func load(_ name: String) throws(StoreError) -> [UInt8]? {
        guard let folder = try StateFolder(directory, createIfMissing: false) else { return nil }
        return try folder.read(name, upTo: StoreLimits.documentSize)
    }

    /// Appends a document to the file on a new line, or begins a new file: the first time, if the file is full, if it was
    /// removed or replaced, and after a failure.
    ///
    /// - Throws: ``StoreError`` if the file cannot be written, or is larger than ``load()`` accepts.
    package func save(_ document: [UInt8]) throws(StoreError) {
        try check(document, for: name)
        guard let folder = try StateFolder(directory, createIfMissing: true) else { return }
        try stateFile.withLock { (current) throws(StoreError) in
            // While it is written, and after a failure, there is no file to append to.
            if var file = current.take(), file.size + document.count <= Self.fullSize,
                folder.contains(file.descriptor, as: name)
            {
                try folder.append([UInt8(ascii: "\n")] + document, to: file.descriptor, name)
                file.size += 1 + document.count
                current = .some(file)
            } else {
                current = StateFile(
                    descriptor: try folder.replace(name, with: document), size: document.count)
            }
        }
    }

    /// Writes a new runs file and renames it over the old one.
    package func save(runs document: [UInt8]) throws(StoreError) {
        try check(document, for: runsName)
        guard let folder = try StateFolder(directory, createIfMissing: true) else { return }
        try folder.replace(runsName, with: document)
    }

    private func check(_ document: [UInt8], for name: String) throws(StoreError) {
        guard document.count > StoreLimits.documentSize else { return }
        throw StoreError(
            "cannot write \(directory.text)/\(name): it would be \(document.count) bytes, more than the limit of "
                + "\(StoreLimits.documentSize)")
    }

    /// Renames the state file to `state.json.SUFFIX` or the runs file to `runs.json.SUFFIX`, or writes the new file
    /// `timers.SUFFIX.json` beside it.
    ///
    /// - Returns: the resulting path, or a string saying that there is no longer a file to move.
    package func setAside(_ what: SetAside) throws(StoreError) -> String {
        guard let folder = try StateFolder(directory, createIfMissing: true) else { return directory.text }
        let file: String
        switch what {
        case .document(let suffix), .runs(let suffix):
            let name = if case .runs = what { runsName } else { self.name }
            // Another process may have removed it since an earlier attempt failed.
            guard folder.exists(name) else { return "nothing, because it no longer exists" }
            file = Self.firstUnusedName(in: folder) { "\(name).\(suffix)\($0)" }
            try folder.rename(name, to: file)
        case .edits(let timers, let suffix):
            file = Self.firstUnusedName(in: folder) { "timers.\(suffix)\($0).json" }
            try folder.write(timers, to: file)
            try folder.sync()
        }
        return "\(directory.text)/\(file)"
    }

    /// Returns the first unused name, trying the suffixes `""`, `-2`, `-3` and so on. No other process writes here.
    private static func firstUnusedName(in folder: borrowing StateFolder, _ name: (String) -> String) -> String {
        var (file, number) = (name(""), 1)
        while folder.exists(file) {
            number += 1
            file = name("-\(number)")
        }
        return file
    }
}
