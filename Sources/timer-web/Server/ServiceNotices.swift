internal import LinuxSystem
internal import NodePorts
internal import ServiceLifecycle
internal import TimerEngine

/// Tells systemd that the server is ready, that it is still at work, and that it ends.
struct ServiceNotices: Service {
    let environment: [String: String]
    /// Ends when the server listens.
    let ready: AsyncStream<Void>
    /// Returns once everything that has to be at work has shown that it is.
    let check: @Sendable () async -> Void

    func run() async throws {
        guard let manager = try ServiceManager(environment: environment) else {
            try? await gracefulShutdown()
            return
        }
        for await _ in ready { break }
        // A server that cannot listen cancels what runs beside it.
        guard !Task.isCancelled else { return }
        manager.announce(.ready)
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            // The watchdog is for what hangs, and this task is not where that would be.
            await check()
            _ = manager.takeEvents(ready: [], at: .now)
            let next = manager.nextInstant ?? .now + .seconds(3600)
            let pause = max(.milliseconds(10), Instant.now.duration(to: next))
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: pause) }
        }
        manager.announce(.stopping)
    }
}
