extension Form where Value == String {
    private static var longest: Int { 4096 }

    /// A file's path, which is read: the value is the password in it.
    static var passwordFile: Form {
        let expected = "the path of a file that can be read"
        return Form(expected: expected, shape: .scalar) { item in
            guard let name = item.node.text else {
                item.report(expected: expected)
                return nil
            }
            let path = item.reading.resolve(name)
            do throws(FileError) {
                if let password = password(in: try item.reading.readFile(path, longest + 1)) { return password }
                let found = "another content in \(path)"
                item.report(.unexpected(found: found, expected: "a password of 1 to \(longest) bytes of UTF-8"))
            } catch {
                item.report(.other(error.description))
            }
            return nil
        }
    }

    /// A password that stands in an environment variable, and nowhere else.
    static var environmentPassword: Form {
        let expected = "password_file, or TIMER_NODE_MQTT_PASSWORD in the environment"
        return Form(expected: expected, shape: .scalar) { item in
            // Whatever was found is not shown: it may be a password.
            guard case .variable = item.node.origin else {
                item.report(.unexpected(found: "a password in the file", expected: expected))
                return nil
            }
            if let password = item.node.text, !password.isEmpty { return password }
            item.report(.unexpected(found: "nothing", expected: "a password"))
            return nil
        }
    }

    /// The password that systemd handed over as the credential `mqtt-password`; nil where it did not.
    ///
    /// Something else than a password in it is reported at `key`.
    static func credentialPassword(_ section: Section, at key: Key<String>) -> String? {
        guard let folder = section.reading.credentials else { return nil }
        let path = "\(folder)/mqtt-password"
        do throws(FileError) {
            if let password = password(in: try section.reading.readFile(path, longest + 1)) { return password }
            section.report(
                .unexpected(
                    found: "another content in \(path)", expected: "a password of 1 to \(longest) bytes of UTF-8"),
                at: key)
        } catch {
            // A unit names the credential whether there is one or not.
            if !error.isMissingFile { section.report(.other(error.description), at: key) }
        }
        return nil
    }

    /// The password in a file: all of it but one line end.
    private static func password(in bytes: [UInt8]) -> String? {
        guard bytes.count <= longest, var text = String(validating: bytes, as: UTF8.self) else { return nil }
        if let last = text.last, last == "\n" || last == "\r\n" { text.removeLast() }
        return text.isEmpty || text.contains("\0") ? nil : text
    }
}
