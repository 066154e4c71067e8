internal import LinuxSystem
internal import Logging
internal import ServiceLifecycle

/// Ends the streams of those whose session is over: at once where somebody renews the PINs, removes a token or logs
/// out, and soon those whose session has expired.
struct AccessUpkeep: Service {
    let access: AccessControl
    let directory: String
    let live: Live
    let logger: Logger
    /// How long somebody may still see things whose session has expired.
    private static let interval: Duration = .seconds(5)

    func run() async throws {
        let (access, hub, logger) = (access, live.hub, logger)
        access.onChange { hub.end { !access.isCurrent($0) } }
        do throws(SystemError) {
            let reload = { @Sendable in
                if let error = access.reload() { logger.error("the PINs stay as they were: \(error)") }
                if let warning = access.warning { logger.warning("\(warning)") }
            }
            try FolderWatch.start(directory, reload)
            // The file may have changed since it was read at the start.
            reload()
        } catch { logger.warning("new PINs and tokens count after a restart only: \(error)") }
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: Self.interval)
                hub.end { !access.isCurrent($0) }
                if let count = access.guesses() {
                    logger.warning(
                        "somebody is guessing PINs: \(count) failed attempts in this hour; attempts are slowed down")
                }
            }
        }
    }
}
