import Foundation
import Testing

/// A computer of its own within a test: with a network address, a host name, and files of its own in `/etc`.
///
/// It is a network, a host name and a mount namespace. The test itself is the router between all machines: it reaches each
/// of them, and ``Network`` says which of them reach each other.
final class Machine {
    let name: String
    /// Its address in the network between the machines.
    let address: String

    private let interface: String
    /// Keeps the namespaces.
    private let process: ChildProcess

    /// Starts a machine.
    ///
    /// - Parameters:
    ///   - name: its host name.
    ///   - number: its place in the network, from 1 on, which no other machine has at the same time.
    ///   - files: what this machine has in place of a file or a folder, each by the path of what it covers.
    init(_ name: String, number: Int, files: [String: String] = [:]) throws {
        self.name = name
        address = Self.address(number)
        interface = "machine\(number)"
        let mounts = files.map { "mount --bind \(Shell.quote($1)) \(Shell.quote($0))" }
        let steps = ["hostname \(name)"] + mounts + ["echo ready", "exec sleep infinity"]
        process = try ChildProcess(
            "unshare", ["--net", "--uts", "--mount", "sh", "-ec", steps.joined(separator: "\n")])
        try process.waitForLine("the machine \(name)") { $0 == "ready" }
        let router = "10.77.\(number).1"
        try Network.run(
            """
            ip link add \(interface) type veth peer name eth0 netns \(process.pid)
            ip address add \(router)/24 dev \(interface)
            ip link set \(interface) up
            nsenter -n -t \(process.pid) sh -ec '
                ip address add \(address)/24 dev eth0
                ip link set lo up
                ip link set eth0 up
                ip route add default via \(router)
            '
            """)
    }

    deinit {
        // It would go with the namespace, but not before the next machine wants its name.
        _ = try? Shell.run("ip link delete \(interface)")
    }

    /// The address of the machine with this number.
    static func address(_ number: Int) -> String { "10.77.\(number).2" }

    /// What a program is started by to run here; it keeps its process id.
    var wrapper: [String] { ["nsenter", "--net", "--uts", "--mount", "-t", "\(process.pid)"] }

    /// Starts a program here.
    func start(_ command: [String], environment: [String: String] = [:]) throws -> ChildProcess {
        let words = wrapper + command
        return try ChildProcess(words[0], Array(words.dropFirst()), environment: environment)
    }

    /// The ids of the processes here that run a program.
    func processes(_ program: String) -> [pid_t] {
        func network(_ pid: pid_t) -> String? {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/ns/net")
        }
        let own = network(process.pid)
        let all = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap(pid_t.init)
        return all.filter {
            network($0) == own
                && (try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8)) == "\(program)\n"
        }
    }

    /// Runs a command here to its end, which has to be a good one.
    @discardableResult
    func run(_ command: [String]) throws -> String {
        try Network.run((wrapper + command).map(Shell.quote).joined(separator: " "))
    }
}

/// What is between the machines of a test.
enum Network {
    /// Lets the machines reach each other.
    static func begin() throws { try run("echo 1 > /proc/sys/net/ipv4/ip_forward") }

    /// Loses every packet between the machines of one side and those of the other, as a broken cable does: nobody is told.
    static func split(_ side: [Machine], from others: [Machine]) throws { try change("add", side, others) }

    /// Ends what ``split(_:from:)`` began.
    static func heal(_ side: [Machine], from others: [Machine]) throws { try change("delete", side, others) }

    private static func change(_ verb: String, _ side: [Machine], _ others: [Machine]) throws {
        for one in side {
            for other in others {
                for (from, to) in [(one, other), (other, one)] {
                    try run("ip rule \(verb) from \(from.address) to \(to.address) blackhole")
                }
            }
        }
    }

    /// Runs a command line of a shell to its end, which has to be a good one.
    @discardableResult
    static func run(_ commandLine: String) throws -> String {
        let result = try Shell.run("set -e; \(commandLine)")
        guard result.status == 0 else {
            throw TestFailure("status \(result.status) of \(commandLine)\n\(result.output)")
        }
        return result.output
    }
}
