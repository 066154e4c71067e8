import Foundation

/// A terminal emulator with a screen that can be read, resized and typed into: tmux, on a server of its own.
final class TmuxTerminal {
    private let server = "timer-node-\(UUID().uuidString)"

    /// Runs a command line in a terminal; the terminal stays when the command ends.
    ///
    /// - Parameter variables: what the command has in its environment besides the test's own.
    init(_ commandLine: String, columns: Int, rows: Int, variables: [String: String] = [:]) throws {
        let assignments = variables.map { "\($0)=\(Shell.quote($1))" }.joined(separator: " ")
        // The command's end is shown, so that a test can wait for it.
        let line = "env \(assignments) \(commandLine); echo status $?; exec cat"
        // 8 colours, and cells of any letter.
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

    /// The rows of the screen, without what is empty at their ends; with `escapes` the sequences for colours too.
    func screen(escapes: Bool = false) throws -> [String] {
        let text = escapes ? try tmux("capture-pane", "-p", "-e") : try tmux("capture-pane", "-p")
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Types keys by tmux's names for them: `Space`, `Down`, `C-c`, `q`.
    func press(_ keys: String...) throws { for key in keys { try tmux("send-keys", key) } }

    /// Puts a text in as if it were pasted, at once.
    func paste(_ text: String) throws {
        try tmux("set-buffer", "--", text)
        try tmux("paste-buffer", "-r")
    }

    /// Gives the window another size.
    func resize(columns: Int, rows: Int) throws { try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)") }

    /// Whether the cursor is shown.
    var hasCursor: Bool { get throws { try tmux("display", "-p", "#{cursor_flag}").hasPrefix("1") } }

    /// The id of the process that the command line became, or of its shell.
    var shell: pid_t { get throws { pid_t(try tmux("display", "-p", "#{pane_pid}").dropLast()) ?? -1 } }

    /// Waits until the screen has a row of this kind; returns it.
    @discardableResult
    func wait(for what: String, where matches: (String) -> Bool) throws -> String {
        try waitForScreen(what) { $0.contains(where: matches) }.first(where: matches) ?? ""
    }

    /// Waits until the whole screen is of this kind; returns its rows.
    ///
    /// A screen may be seen half drawn, so what is expected of more rows than one is waited for at once.
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
