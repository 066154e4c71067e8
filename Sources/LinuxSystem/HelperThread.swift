internal import CLinux

/// Threads for what may block: each owns its work, and ends with it.
package enum HelperThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs a body on a thread of its own, which takes no signals but those of its own faults.
    ///
    /// - Throws: ``SystemError`` where there is no room for another thread.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        // SAFETY: the thread takes over the reference, which keeps the body alive; where there is none, it is let go.
        let retained = unsafe Unmanaged.passRetained(Body(body))
        let code = unsafe clinux_start_thread(
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, retained.toOpaque())
        guard code == 0 else {
            unsafe retained.release()
            throw SystemError(call: "pthread_create", code: code)
        }
    }
}
