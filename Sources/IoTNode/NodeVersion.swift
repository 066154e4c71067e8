/// The version of this build.
package enum NodeVersion {
    /// As semantic versioning writes it.
    package static let current = "0.1.0"
}
