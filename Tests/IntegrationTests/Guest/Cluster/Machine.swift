import Foundation
import Testing

/// A virtual computer within a test, with its own network address, host name and files in `/etc`.
///
/// It consists of a network namespace, a host name and a mount namespace. The test process is the router between all
/// machines: it reaches each machine, and ``Network`` determines which machines reach each other.
final class Machine {
    let name: String
    /// The machine's address in the network between the machines.
    let address: String

    private let interface: String
    /// The process that keeps the namespaces alive.
    private let process: ChildProcess

    /// Starts a machine.
    ///
    /// - Parameters:
    ///   - name: its host name.
    ///   - number: its number in the network, starting at 1 and unique among the machines that run at the same time.
    ///   - files: the files and folders to replace on this machine: a path as the key, its replacement as the value.
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
        // The kernel would delete it with the namespace, but perhaps only after the next machine needs its name.
        _ = try? Shell.run("ip link delete \(interface)")
    }

    /// The address of the machine with this number.
    static func address(_ number: Int) -> String { "10.77.\(number).2" }

    /// The command prefix that runs a program on this machine; the program keeps its process id.
    var wrapper: [String] { ["nsenter", "--net", "--uts", "--mount", "-t", "\(process.pid)"] }

    /// Starts a program on this machine.
    func start(_ command: [String], environment: [String: String] = [:]) throws -> ChildProcess {
        let words = wrapper + command
        return try ChildProcess(words[0], Array(words.dropFirst()), environment: environment)
    }

    /// The ids of this machine's processes that run a program.
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

    /// Runs a command on this machine to its end, and throws if it fails.
    @discardableResult
    func run(_ command: [String]) throws -> String {
        try Network.run((wrapper + command).map(Shell.quote).joined(separator: " "))
    }
}

/// The network between the machines of a test.
enum Network {
    /// Lets the machines reach each other.
    static func begin() throws { try run("echo 1 > /proc/sys/net/ipv4/ip_forward") }

    /// Silently drops every packet between the machines on one side and those on the other, as a broken cable does.
    static func split(_ side: [Machine], from others: [Machine]) throws { try change("add", side, others) }

    /// Ends the split that ``split(_:from:)`` began.
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

    /// Runs a shell command line to its end, and throws if it fails.
    @discardableResult
    static func run(_ commandLine: String) throws -> String {
        let result = try Shell.run("set -e; \(commandLine)")
        guard result.status == 0 else {
            throw TestFailure("status \(result.status) of \(commandLine)\n\(result.output)")
        }
        return result.output
    }
}
