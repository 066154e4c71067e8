/// What has to be kept before the saved state may be replaced.
public enum SetAside: Hashable, Sendable {
    /// The saved state as it is, under another name.
    case document(suffix: String)
    /// The timers that were edited, as the command `timers` takes them.
    case edits([UInt8], suffix: String)
}
