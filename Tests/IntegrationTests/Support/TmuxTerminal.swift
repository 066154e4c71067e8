import Foundation

/// A terminal emulator with a screen that can be read, resized and typed into: tmux, on a separate server.
final class TmuxTerminal {
    private let server = "timer-node-\(UUID().uuidString)"

    /// Runs a command line in a terminal, which stays open when the command ends.
    ///
    /// - Parameter variables: environment variables in addition to the test's own.
    init(_ commandLine: String, columns: Int, rows: Int, variables: [String: String] = [:]) throws {
        let assignments = variables.map { "\($0)=\(Shell.quote($1))" }.joined(separator: " ")
        // The terminal shows the command's exit status, so a test can wait for it.
        let line = "env \(assignments) \(commandLine); echo status $?; exec cat"
        // Eight colours, and full Unicode.
        try tmux(
            "-u", "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "exec sleep 1000000")
        try tmux("set", "-g", "default-terminal", "screen")
        try tmux("set", "-g", "status", "off")
        try tmux("respawn-pane", "-k", line)
    }

    deinit { _ = try? tmux("kill-server") }

    @discardableResult
    private func tmux(_ words: String...) throws -> String {
        let result = try Shell.run((["tmux", "-L", server] + words).map(Shell.quote).joined(separator: " "))
        guard result.status == 0 else { throw TestFailure("tmux \(words): \(result.output)") }
        return result.output
    }

    /// The rows of the screen without trailing spaces; with `escapes`, including the colour sequences.
    func screen(escapes: Bool = false) throws -> [String] {
        let text = escapes ? try tmux("capture-pane", "-p", "-e") : try tmux("capture-pane", "-p")
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Types keys by tmux's names for them: `Space`, `Down`, `C-c`, `q`.
    func press(_ keys: String...) throws { for key in keys { try tmux("send-keys", key) } }

    /// Pastes text all at once.
    func paste(_ text: String) throws {
        try tmux("set-buffer", "--", text)
        try tmux("paste-buffer", "-r")
    }

    /// Resizes the window.
    func resize(columns: Int, rows: Int) throws { try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)") }

    /// Whether the cursor is shown.
    var hasCursor: Bool { get throws { try tmux("display", "-p", "#{cursor_flag}").hasPrefix("1") } }

    /// The id of the process that executes the command line, or of its shell.
    var shell: pid_t { get throws { pid_t(try tmux("display", "-p", "#{pane_pid}").dropLast()) ?? -1 } }

    /// Waits until a row of the screen matches, and returns it.
    @discardableResult
    func wait(for what: String, where matches: (String) -> Bool) throws -> String {
        try waitForScreen(what) { $0.contains(where: matches) }.first(where: matches) ?? ""
    }

    /// Waits until the whole screen matches, and returns its rows.
    ///
    /// A screen may be read half drawn, so wait for several rows together.
    @discardableResult
    func waitForScreen(_ what: String, where matches: ([String]) -> Bool) throws -> [String] {
        var seen: [String] = []
        do {
            try waitUntil(what, pause: { usleep(20_000) }) {
                seen = try screen()
                return matches(seen)
            }
        } catch {
            throw TestFailure("\(error); the screen is\n\(seen.joined(separator: "\n"))")
        }
        return seen
    }
}
