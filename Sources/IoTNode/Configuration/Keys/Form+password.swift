extension Form where Value == Credentials.Password {
    /// A file's path; that there is a password in it is looked at now, which one it is at each attempt to connect.
    static var passwordFile: Form {
        let expected = "the path of a file that can be read"
        return Form(expected: expected, shape: .scalar) { item in
            guard let name = item.node.text else {
                item.report(expected: expected)
                return nil
            }
            return item.password(inFile: item.reading.resolve(name))
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
            if let password = item.node.text, !password.isEmpty { return .text(password) }
            item.report(.unexpected(found: "nothing", expected: "a password"))
            return nil
        }
    }
}

extension Item {
    /// The password in a file, after a look at it.
    fileprivate func password(inFile path: String) -> Credentials.Password? {
        do throws(PasswordError) {
            _ = try PasswordFile.read(path, by: reading.readFile)
            return .file(path)
        } catch {
            switch error {
            case .unreadable(let error): report(.other(error.description))
            case .unfit:
                report(.unexpected(found: "another content in \(path)", expected: PasswordFile.expected))
            }
            return nil
        }
    }
}

extension Section {
    /// The password that systemd hands over as the credential `mqtt-password`, where it does.
    func systemdPassword() -> Credentials.Password? {
        credential("mqtt-password").flatMap { $0.item.password(inFile: $0.path) }
    }

    /// A file that systemd hands over; nil where it does not, as other credentials may be there without this one.
    func credential(_ name: String) -> (path: String, item: Item)? {
        guard let folder = reading.credentialsFolder else { return nil }
        let path = "\(folder)/\(name)"
        do throws(FileError) {
            _ = try reading.readFile(path, 1)
        } catch {
            // Any other reason is reported by whoever reads it.
            if error.isMissingFile { return nil }
        }
        let origin = ConfigurationFault.Origin.variable("CREDENTIALS_DIRECTORY")
        let node = YAMLNode(content: .scalar(path, plain: false), origin: origin)
        return (path, Item(path: name, node: node, reading: reading))
    }
}
