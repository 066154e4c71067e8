/// Why lines could not be taken or set, or were lost.
public struct LinesFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and, where known, what to do about it.
    public let description: String

    /// Names the fault.
    public init(_ description: String) { self.description = description }
}
