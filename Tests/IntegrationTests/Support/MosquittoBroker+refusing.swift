import Foundation

extension MosquittoBroker {
    /// Starts a broker that lets every client in, but refuses subscriptions to these filters.
    ///
    /// With mosquitto's `acl_file`, any client may subscribe, and only the messages are withheld. Its dynamic security
    /// plugin refuses the subscription.
    convenience init(refusing filters: [String]) throws {
        let rules = filters.map { #"{"acltype":"subscribeLiteral","topic":"\#($0)","priority":9,"allow":false}"# }
        let json = """
            {"defaultACLAccess":
               {"publishClientSend":true,"publishClientReceive":true,"subscribe":true,"unsubscribe":true},
             "roles":[{"rolename":"anybody","acls":[\(rules.joined(separator: ","))]}],
             "groups":[{"groupname":"anybody","roles":[{"rolename":"anybody"}]}],"anonymousGroup":"anybody"}
            """
        try self.init(
            settings: ["plugin \(Self.plugin)", "plugin_opt_config_file FOLDER/security.json"],
            files: ["security.json": json])
    }

    private static var plugin: String {
        get throws {
            let name = "mosquitto_dynamic_security.so"
            let folders = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib").map { "/usr/lib/\($0)" }
            guard
                let file = (folders + ["/usr/local/lib"]).map({ "\($0)/\(name)" })
                    .first(where: FileManager.default.fileExists)
            else { throw TestFailure("there is no \(name), which comes with mosquitto") }
            return file
        }
    }
}
