internal import LinuxSystem
internal import Logging
internal import NodePorts
internal import ServiceLifecycle
internal import TimerProtocol
internal import WebCore

/// The file with the PINs, the tokens and the key of the sessions.
struct AccessFile: Sendable {
    let directory: String
    private let file: SecretFile

    init(directory: String) {
        self.directory = directory
        file = SecretFile(directory: directory, name: "access.json")
    }

    /// A warning if users other than the file's owner may read or change it.
    var warning: String? {
        file.permissionsOfOthers.map {
            "\(file.path) is accessible to users other than its owner (mode \($0)), who may know the PINs and "
                + "forge sessions: run chmod 600 on it, and timer-web pins --new"
        }
    }

    /// The content of the file, which is created if it does not exist.
    func load() throws(StoreError) -> AccessDocument {
        if let document = try read() { return document }
        return try update { _ in }
    }

    /// The content of the file; nil if it does not exist.
    func read() throws(StoreError) -> AccessDocument? {
        try file.read().map { (bytes) throws(StoreError) in try document(bytes) }
    }

    /// Changes the content of the file under a lock.
    ///
    /// - Returns: the new content.
    @discardableResult
    func update(_ change: (inout AccessDocument) throws(StoreError) -> Void) throws(StoreError) -> AccessDocument {
        var result: AccessDocument?
        try file.update { (bytes) throws(StoreError) in
            let old = try bytes.map { (bytes) throws(StoreError) in try document(bytes) }
            var new: AccessDocument
            if let old { new = old } else { new = try Self.new() }
            try change(&new)
            result = new
            return new == old ? nil : new.bytes
        }
        guard let result else { throw StoreError("cannot make \(file.path)") }
        return result
    }

    /// Generates new PINs, which ends all sessions.
    ///
    /// - Returns: the new content of the file.
    func renewPINs() throws(StoreError) -> AccessDocument {
        let pins = try Self.pins()
        return try update { (document) throws(StoreError) in
            guard document.renew(pins) else {
                throw unusable("its generation number is already at the maximum, \(document.generation)")
            }
        }
    }

    private func document(_ bytes: [UInt8]) throws(StoreError) -> AccessDocument {
        do throws(PayloadError) { return try AccessDocument(bytes) } catch { throw unusable(error.description) }
    }

    private func unusable(_ reason: String) -> StoreError {
        StoreError("cannot use \(file.path): \(reason); remove it to get new PINs and no tokens")
    }

    private static func new() throws(StoreError) -> AccessDocument {
        AccessDocument(key: try secret(), generation: 1, pins: try pins())
    }

    private static func pins() throws(StoreError) -> [Role: String] {
        // Each group of eight bytes gives one number. One number per PIN is enough; the rest replace duplicates.
        guard var bytes = Crypto.random(8 * 64)?[...] else { throw Self.noRandom }
        return PIN.each {
            defer { bytes = bytes.dropFirst(8) }
            return bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// 32 random bytes in hexadecimal digits.
    static func secret() throws(StoreError) -> String {
        guard let bytes = Crypto.random(32) else { throw Self.noRandom }
        return Crypto.hexadecimal(bytes)
    }

    private static let noRandom = StoreError("the system cannot provide random numbers")
}

/// Ends the streams of clients whose access has ended: at once after new PINs, a removed token or a logout, and within
/// a few seconds after a session has expired.
struct AccessUpkeep: Service {
    let access: AccessControl
    let directory: String
    let live: Live
    let logger: Logger
    /// How long a client may still receive events after its session has expired.
    private static let interval: Duration = .seconds(5)

    func run() async throws {
        let (access, hub, logger) = (access, live.hub, logger)
        access.onChange { hub.end { !access.isCurrent($0) } }
        do throws(SystemError) {
            let reload = { @Sendable in
                if let error = access.reload() { logger.error("keeping the previous PINs and tokens: \(error)") }
                if let warning = access.warning { logger.warning("\(warning)") }
            }
            try FolderWatch.start(directory, reload)
            // The file may have changed since it was read at the start.
            reload()
        } catch { logger.warning("new PINs and tokens take effect only after a restart: \(error)") }
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: Self.interval)
                hub.end { !access.isCurrent($0) }
                if let count = access.guesses() {
                    logger.warning(
                        "PIN guessing suspected: \(count) failed attempts in the current hour; further attempts are delayed"
                    )
                }
            }
        }
    }
}
