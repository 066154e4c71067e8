/// The files of TLS, all in PEM form; they are read by each attempt to connect.
public struct TLSFiles: Hashable, Sendable {
    /// The certificates of the authorities that are trusted; nil for the system's.
    public var ca: String?
    /// The node's own certificate, where the broker asks for one.
    public var certificate: String?
    /// The key of ``certificate``, without a passphrase.
    public var key: String?

    /// Names the files; a certificate and its key go together.
    public init(ca: String? = nil, certificate: String? = nil, key: String? = nil) {
        self.ca = ca
        self.certificate = certificate
        self.key = key
    }
}
