package import BrokerLink
internal import CLinux
internal import Glibc

/// The terminal of this process in full-screen mode: reads keys as they are typed, reports its size, and is restored at
/// the end.
///
/// The owner must call ``leave()`` before the process ends.
package final class FullScreenTerminal {
    private let output = NonblockingOutput(STDOUT_FILENO)
    /// Readable when the size has changed, and when the process continues after it was stopped.
    private let signals: FileDescriptor
    private var original = termios()
    private var isEntered = false

    /// User input, or a change of the terminal.
    package struct Input {
        /// The bytes of the keys that were typed.
        package var bytes: [UInt8] = []
        /// Whether everything must be drawn again.
        package var needsRedraw = false
        /// Whether the terminal is gone.
        package var hasEnded = false
    }

    /// Creates a value for the terminal; nil if standard input or standard output is not a terminal.
    ///
    /// - Throws: ``SystemError`` if the process has no descriptor left.
    package init?() throws(SystemError) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
        var set = sigset_t()
        // SAFETY: the calls fill or read the set and the struct, and keep no pointer.
        unsafe sigemptyset(&set)
        for signal in [SIGWINCH, SIGCONT] { unsafe sigaddset(&set, signal) }
        let number = unsafe signalfd(-1, &set, Int32(SFD_NONBLOCK) | Int32(SFD_CLOEXEC))
        guard number >= 0 else { throw SystemError(call: "signalfd", code: errno) }
        signals = FileDescriptor(owning: number)
        _ = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        guard unsafe tcgetattr(STDIN_FILENO, &original) == 0 else { return nil }
    }

    /// The input and the signals; also the output while text is pending.
    package var interests: [Interest] {
        let pending = output.watched.map { [Interest(descriptor: $0, events: .write)] } ?? []
        return [
            Interest(descriptor: STDIN_FILENO, events: .read), Interest(descriptor: signals.number, events: .read),
        ] + pending
    }

    /// Switches to the alternate screen, without a cursor, and to raw input: keys arrive one by one and are not echoed.
    package func enter() {
        var raw = original
        // SAFETY: both calls read or change the struct, and keep no pointer.
        unsafe cfmakeraw(&raw)
        // Output stays cooked: a newline returns to the first column.
        raw.c_oflag = original.c_oflag
        _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        _ = write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
        isEntered = true
    }

    /// Restores the screen, the cursor and the input mode.
    package func leave() {
        guard isEntered else { return }
        isEntered = false
        let text = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
        // The user may have typed Ctrl-S.
        _ = tcflow(STDOUT_FILENO, TCOON)
        // A terminal whose output is not read delays the process for at most a second.
        var isAccepted = false
        for _ in 0..<10 {
            isAccepted = isAccepted || output.write(text)
            if isAccepted, output.flush() { break }
            var descriptor = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
            // SAFETY: the call reads and fills one struct and keeps no pointer.
            _ = unsafe poll(&descriptor, 1, 100)
        }
        // SAFETY: the call reads the struct and keeps no pointer.
        _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &original)
    }

    /// Restores the terminal and stops the process, like Ctrl-Z; returns when the process continues.
    package func suspend() {
        leave()
        kill(getpid(), SIGSTOP)
        enter()
    }

    /// The number of columns and rows; 80 and 24 if the terminal does not report them.
    package var size: (columns: Int, rows: Int) {
        var size = winsize()
        // SAFETY: the call fills the struct and keeps no pointer.
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Reads the typed keys, without waiting.
    package func takeInput(ready: [Interest]) -> Input {
        var input = Input()
        for interest in ready {
            switch interest.descriptor {
            case signals.number:
                readSignals()
                // If the process was stopped by a signal, the shell has changed the terminal's modes.
                if isEntered { enter() }
                input.needsRedraw = true
            case STDIN_FILENO:
                var buffer = [UInt8](repeating: 0, count: 1024)
                // SAFETY: read() writes at most as many bytes as the array has.
                let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
                if count > 0 { input.bytes += buffer[..<count] } else { input.hasEnded = count == 0 || errno != EINTR }
            default:
                if output.flush() { input.needsRedraw = true }
            }
        }
        return input
    }

    private func readSignals() {
        var information = signalfd_siginfo()
        // SAFETY: the call fills the struct and keeps no pointer.
        while unsafe read(signals.number, &information, MemoryLayout<signalfd_siginfo>.size) > 0 {}
    }

    /// Writes a string; returns false, without writing any part of it, if there was no room.
    package func write(_ text: String) -> Bool { output.write(text) }
}
