extension Optional where Wrapped: Equatable {
    /// Takes this value; returns whether it is another one than before.
    mutating func changes(to new: Wrapped) -> Bool {
        if let old = self, old == new { return false }
        self = new
        return true
    }
}
