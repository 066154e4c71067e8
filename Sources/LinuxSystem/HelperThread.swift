internal import CLinux

/// Threads for blocking work: each owns its work and ends with it.
package enum HelperThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs a body on a new thread, which receives no signals except those of its own faults.
    ///
    /// - Throws: ``SystemError`` if no thread can be created.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        // SAFETY: the thread takes over the reference, which keeps the body alive; if it could not start, the reference
        // is released here.
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
