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
