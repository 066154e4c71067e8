internal import FoundationEssentials
internal import TimerEngine

extension UUID {
    /// The id of the configured timer at a path: the same at each start, so that a saved state finds its timer again.
    init(configured path: TimerPath) {
        let group = UInt16(truncatingIfNeeded: path.group + 1)
        self.init(
            uuid: (
                0x74, 0x69, 0x6D, 0x65, 0x72, 0x2D, 0x8E, 0x6F, 0x80, 0x64, 0x65, 0, 0, UInt8(group >> 8),
                UInt8(group & 0xFF), UInt8(truncatingIfNeeded: path.item + 1)
            ))
    }
}
