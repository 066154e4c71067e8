package import IoTNode

/// Keeps the document in a file, replaced atomically: a new file, its bytes on the disk, the rename, the folder.
///
/// Its calls wait for the disk; ``BackgroundStore`` makes them on a thread of its own.
package final class FileStore: Sendable {
    /// The longest document in bytes, several times a model of all the timers that fit; a longer file is no state.
    package static let maximumSize = 1024 * 1024

    private let directory: StatePath
    private let name: String
    private let newName: String

    /// A store in a folder, which is made, with its parents, when the first document is saved.
    package init(directory: String, name: String = "state.json") {
        self.directory = StatePath(directory)
        self.name = name
        newName = name + ".new"
    }

    /// Reads the file; nil where there is none.
    ///
    /// - Throws: ``StoreError`` where it cannot be read, or is a link or anything else than a regular file.
    package func load() throws(StoreError) -> [UInt8]? {
        guard let folder = try StateFolder(directory, isMade: false) else { return nil }
        return try folder.read(name, upTo: Self.maximumSize)
    }

    /// Writes a new file beside the old one and puts it in its place.
    package func save(_ document: [UInt8]) throws(StoreError) {
        guard let folder = try StateFolder(directory, isMade: true) else { return }
        try folder.write(document, to: newName)
        try folder.rename(newName, to: name)
    }

    /// Moves the file to another name, or writes a file beside it: `state.json.SUFFIX`, `timers.SUFFIX.json`.
    ///
    /// - Returns: the file's path, or that there is nothing any more.
    package func setAside(_ what: SetAside) throws(StoreError) -> String {
        guard let folder = try StateFolder(directory, isMade: true) else { return directory.text }
        let file: String
        switch what {
        case .document(let suffix):
            // Somebody else may have taken it away, when it could not be set aside before.
            guard folder.has(name) else { return "nothing, as it is gone" }
            file = Self.free(in: folder) { "\(name).\(suffix)\($0)" }
            try folder.rename(name, to: file)
        case .edits(let timers, let suffix):
            file = Self.free(in: folder) { "timers.\(suffix)\($0).json" }
            try folder.write(timers, to: file)
            try folder.sync()
        }
        return "\(directory.text)/\(file)"
    }

    /// The first of the names, made with `""`, `-2`, `-3` and so on, that is not taken. Nobody else writes here.
    private static func free(in folder: borrowing StateFolder, _ name: (String) -> String) -> String {
        var (file, number) = (name(""), 1)
        while folder.has(file) {
            number += 1
            file = name("-\(number)")
        }
        return file
    }
}
