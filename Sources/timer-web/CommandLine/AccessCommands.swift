internal import ArgumentParser
internal import CommandLineSupport
internal import LinuxSystem
internal import NodeConfiguration
internal import NodePorts
internal import TimerProtocol
internal import WebCore

/// `timer-web pins`: prints the PINs, or makes new ones.
struct Pins: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the PINs.",
        discussion: """
            Prints one line for each role that needs a PIN: the role and the PIN. The server creates the PINs on its \
            first start; if it has not been started yet, they are created now. Only root can see the service's PINs:

              sudo timer-web pins
              sudo timer-web pins --new

            New PINs log everybody out at once, even while the server is running.
            """)

    @OptionGroup var options: SettingsOptions

    @Flag(help: "Make new PINs, which logs everybody out.")
    var new = false

    func run() throws {
        let settings = try options.settings(for: .checking)
        let file = try options.accessFile(settings)
        let document = try orExit(.io) { () throws(StoreError) in
            new ? try file.renewPINs() : try file.load()
        }
        if let warning = file.warning { StandardError.say(warning) }
        for role in Role.allCases where settings.configuration.web.needsPIN(role) {
            // Aligned in a column, however long the role's name is.
            let name = role.rawValue + String(repeating: " ", count: 10 - role.rawValue.count)
            print(name + (document.pins[role] ?? ""))
        }
    }
}

/// `timer-web tokens`: manages the tokens that programs and kiosks present instead of a PIN.
struct Tokens: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Add, list and remove tokens, which programs and kiosks use instead of a PIN.",
        subcommands: [Add.self, List.self, Remove.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a token, and print it; it is shown only once.",
            discussion: """
                A program sends it as "Authorization: Bearer TOKEN". A viewer token opens a display in OBS or a kiosk, \
                which cannot type a PIN: http://HOST:8080/n/NODE?token=TOKEN

                  sudo timer-web tokens add obs --node lectern
                  sudo timer-web tokens add companion --role remote
                """)

        @OptionGroup var options: SettingsOptions

        @Argument(help: "The token's name; you need it to remove the token.")
        var name: String

        @Option(help: "The role that it grants: viewer, remote or operator.")
        var role = Role.viewer

        @Option(
            help: ArgumentHelp("Limit the token to this node; may be repeated. By default all nodes.", valueName: "id"))
        var node: [String] = []

        func validate() throws {
            guard Identifier.isValid(name) else {
                throw ValidationError("A name consists of 1 to 63 of the characters a-z, 0-9, _ and -.")
            }
            if let wrong = node.first(where: { !Identifier.isValid($0) }) {
                throw ValidationError("\(wrong) is not a valid node id.")
            }
        }

        func run() throws {
            let file = try options.accessFile(try options.settings(for: .checking))
            let token = try orExit(.io) { () throws(StoreError) in
                let token = "tw_\(try AccessFile.secret())"
                try file.update { (document) throws(StoreError) in
                    guard !document.tokens.contains(where: { $0.name == name }) else {
                        throw StoreError("there is already a token named \(name); remove it first")
                    }
                    document.tokens.append(
                        .init(
                            name: name, role: role, nodes: node.isEmpty ? nil : node, hash: Crypto.hash(ofToken: token))
                    )
                }
                return token
            }
            print(token)
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the tokens: name, role and nodes.")

        @OptionGroup var options: SettingsOptions

        func run() throws {
            let file = try options.accessFile(try options.settings(for: .checking))
            for token in try orExit(.io, { () throws(StoreError) in try file.load() }).tokens {
                print(token.name, token.role.rawValue, token.nodes?.joined(separator: ",") ?? "all")
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a token; clients that use it lose access at once.")

        @OptionGroup var options: SettingsOptions

        @Argument(help: "The name of the token.")
        var name: String

        func run() throws {
            let file = try options.accessFile(try options.settings(for: .checking))
            _ = try orExit(.io) { () throws(StoreError) in
                try file.update { (document) throws(StoreError) in
                    guard document.tokens.contains(where: { $0.name == name }) else {
                        throw StoreError("there is no token \(name)")
                    }
                    document.tokens.removeAll { $0.name == name }
                }
            }
        }
    }
}

extension Role: ExpressibleByArgument {}
