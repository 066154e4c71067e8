extension TLSFiles {
    /// The keys of `mqtt.tls`.
    enum Keys {
        static let ca = Key(
            "ca", .readableFile, absent: "the system's certificates",
            "The certificates that are trusted to sign the broker's, as PEM, from the folder of this file.")
        static let certificate = Key(
            "certificate", .readableFile, absent: "none",
            "The node's own certificate, as PEM, where the broker asks for one.")
        static let key = Key(
            "key", .readableFile, absent: "none",
            "The key of `certificate`, as PEM without a passphrase. Systemd's credential `mqtt-key` goes before it.")

        static let all: [any DeclaredKey] = [ca, certificate, key]
    }

    /// How `mqtt.tls` is written.
    static var form: Form<Self> {
        .section(Keys.all) { section in
            // The file of a key that is handed over may be one that only root can read.
            let handedOver = section.item(Keys.certificate) == nil ? nil : section.credential("mqtt-key")
            let key = handedOver.map { Keys.key.form.read($0.item) } ?? section.read(Keys.key)
            let files = Self(ca: section.read(Keys.ca), certificate: section.read(Keys.certificate), key: key)
            if section.item(Keys.certificate) != nil, section.item(Keys.key) == nil, handedOver == nil {
                section.report(.unexpected(found: "nothing", expected: "the key of the certificate"), at: Keys.key)
            }
            if section.item(Keys.key) != nil, section.item(Keys.certificate) == nil {
                section.report(
                    .unexpected(found: "nothing", expected: "the certificate that the key is for"),
                    at: Keys.certificate)
            }
            return files
        }
    }
}

extension Form where Value == String {
    /// A file's path, from the folder of the configuration; the file is there and can be read.
    fileprivate static var readableFile: Form {
        let expected = "the path of a file that can be read"
        return Form(expected: expected, shape: .scalar) { item in
            guard let name = item.node.text, !name.isEmpty else {
                item.report(expected: expected)
                return nil
            }
            let path = item.reading.resolve(name)
            do throws(FileError) {
                _ = try item.reading.readFile(path, 1)
                return path
            } catch {
                item.report(.other(error.description))
                return nil
            }
        }
    }
}
