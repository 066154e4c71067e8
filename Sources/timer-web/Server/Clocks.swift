internal import FoundationEssentials
internal import LinuxSystem
internal import TimerEngine

extension Instant {
    /// The server's present instant, on the clock that counts from the boot.
    static var now: Self { BootClock.bootTime }
}

extension WallClock {
    /// The time, in seconds of Unix time.
    static var seconds: Int { Int(Date().timeIntervalSince1970) }
}
