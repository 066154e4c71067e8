/// The files of TLS, all as PEM. Each attempt to connect reads them anew.
package struct TLSFiles: Hashable, Sendable {
    package var ca: String?
    package var certificate: String?
    package var key: String?

    /// Names the files; a certificate and its key go together.
    package init(ca: String? = nil, certificate: String? = nil, key: String? = nil) {
        (self.ca, self.certificate, self.key) = (ca, certificate, key)
    }
}

extension TLSFiles {
    private static let keys = Keys(
        prototype: Self(),
        .optional(
            "ca", \.ca, .certificateFile, absent: "the system's certificates",
            "The certificates that are trusted to sign the broker's, as PEM, from the folder of this file."),
        .optional(
            "certificate", \.certificate, .certificateFile, absent: "none",
            "The certificate to show a broker that asks for one, as PEM."),
        .optional(
            "key", \.key, .keyFile, absent: "none",
            "The key of `certificate`, as PEM without a passphrase. Systemd's credential `mqtt-key` goes before it."
        )
    )

    static let schema: Schema<Self> = .section(keys) { section in
        let hasCertificate = section.has(\.certificate)
        if let handedOver = hasCertificate ? section.context.credential("mqtt-key") : nil {
            // Perhaps only root can read the key's file, so we do not read it.
            section.readAll(except: \.key)
            section.draft.key = Schema.keyFile.read(handedOver)
        } else {
            section.readAll()
            if hasCertificate, !section.has(\.key) {
                section.report(.unexpected(found: "nothing", expected: "the key of the certificate"), at: \.key)
            }
        }
        if section.has(\.key), !hasCertificate {
            section.report(
                .unexpected(found: "nothing", expected: "the certificate that the key is for"), at: \.certificate)
        }
        return section.draft
    }
}
