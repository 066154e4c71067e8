/// What becomes of a run when the machine was started anew: how long it was off, only its wall clock can tell.
public enum AfterReboot: String, Hashable, Sendable, CaseIterable {
    /// It is held where it was when it was last saved.
    case pause
    /// It goes on as if the machine had never been off, by the wall clock.
    case resume
    /// It is stopped.
    case stop
}
