/// The version of this build.
public enum NodeVersion {
    /// As semantic versioning writes it.
    public static let current = "0.1.0"
}
