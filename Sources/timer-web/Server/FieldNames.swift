internal import HTTPTypes

extension HTTPField.Name {
    static let referrerPolicy = named("Referrer-Policy")
    static let permissionsPolicy = named("Permissions-Policy")
    static let xFrameOptions = named("X-Frame-Options")

    /// A name that HTTPTypes does not have.
    static func named(_ text: String) -> Self {
        guard let name = Self(text) else { preconditionFailure("\(text) is no name of a field") }
        return name
    }
}
