internal import IoTNode

extension TLSFiles {
    /// The keys of `mqtt.tls`.
    enum Keys {
        static let ca = Key(
            "ca", .certificateFile, absent: "the system's certificates",
            "The certificates that are trusted to sign the broker's, as PEM, from the folder of this file.")
        static let certificate = Key(
            "certificate", .certificateFile, absent: "none",
            "The node's own certificate, as PEM, where the broker asks for one.")
        static let key = Key(
            "key", .keyFile, absent: "none",
            "The key of `certificate`, as PEM without a passphrase. Systemd's credential `mqtt-key` goes before it.")

        static let all: [any DeclaredKey] = [ca, certificate, key]
    }

    /// How `mqtt.tls` is written.
    static var schema: Schema<Self> {
        .section(Keys.all) { section in
            // The file of a key that is handed over may be one that only root can read.
            let handedOver = section.node(Keys.certificate) == nil ? nil : section.credential("mqtt-key")
            let key = handedOver.map(Keys.key.schema.read) ?? section.read(Keys.key)
            let files = Self(ca: section.read(Keys.ca), certificate: section.read(Keys.certificate), key: key)
            if section.node(Keys.certificate) != nil, section.node(Keys.key) == nil, handedOver == nil {
                section.report(.unexpected(found: "nothing", expected: "the key of the certificate"), at: Keys.key)
            }
            if section.node(Keys.key) != nil, section.node(Keys.certificate) == nil {
                section.report(
                    .unexpected(found: "nothing", expected: "the certificate that the key is for"),
                    at: Keys.certificate)
            }
            return files
        }
    }
}

/// `mqtt.discovery`: how a node is announced to Home Assistant.
///
/// It is read, so that a file that has it is a good one, and checked; nothing is announced so far.
enum Discovery {
    /// What is announced.
    enum Style: String, CaseIterable {
        /// One message with the whole device.
        case device
        /// A message for each of its components.
        case component
        /// Nothing.
        case none
    }

    enum Keys {
        static let style = Key(
            "style", Schema<Style>.oneOf, default: "none",
            "One message for the device, one for each component, or nothing. This version announces nothing.")
        static let prefix = Key(
            "prefix", .topicPrefix, default: "homeassistant", "The first level, or levels, of the topics of discovery.")

        static let all: [any DeclaredKey] = [style, prefix]
    }

    /// How `mqtt.discovery` is written.
    static var schema: Schema<Style> {
        .section(Keys.all) { section in
            let style = section.read(Keys.style)
            _ = section.read(Keys.prefix)
            if let style, style != Style.none {
                section.report(
                    .other("not used: this version announces nothing to Home Assistant"), at: Keys.style,
                    severity: .warning)
            }
            return style ?? Style.none
        }
    }
}
