import BrokerLink
import TestSupport
import TimerProtocol

/// A TCP connection between a client and a member of the broker, with packets in flight both ways.
///
/// Packets arrive in the order in which they were sent. When the connection is cut at a byte, the packets that were
/// complete before it arrive and the others do not.
final class Wire {
    /// A packet in flight.
    final class Packet {
        let size: () -> Int
        var isLost = false
        let arrive: () -> Void

        init(size: @escaping () -> Int, arrive: @escaping () -> Void) { (self.size, self.arrive) = (size, arrive) }
    }

    /// The two directions.
    enum Direction: Int, CaseIterable { case up, down }

    private struct Lane {
        var packets: [Packet] = []
        /// When the last packet arrives.
        var last: Duration = .zero
    }

    private unowned let world: World
    private var lanes: [Lane] = [Lane(), Lane()]
    private var random: SeededGenerator
    /// The client's machine, whose network decides how long a packet takes.
    private unowned let machine: Machine
    /// Why nothing passes at present. Packets wait, since TCP sends them again.
    private var holds: Set<Hold> = []
    private let keepAlive: Duration
    private(set) var isClosed = false
    private var silences = 0
    /// Called on the client's side when nothing has passed for longer than the keep-alive.
    var onSilence: () -> Void = {}

    /// What keeps packets from arriving.
    enum Hold { case network, broker }

    init(_ world: World, _ machine: Machine, seed: UInt64, keepAlive: Duration) {
        (self.world, self.machine, self.keepAlive) = (world, machine, keepAlive)
        random = SeededGenerator(seed: seed)
    }

    /// Sends a packet.
    ///
    /// - Parameter size: the bytes of the packet, which are only counted if the connection is cut while they are in
    ///   flight.
    func send(_ direction: Direction, size: @autoclosure @escaping () -> Int, _ arrive: @escaping () -> Void) {
        guard !isClosed else { return }
        let packet = Packet(size: size, arrive: arrive)
        let time = max(
            lanes[direction.rawValue].last, world.time + .seconds(Double.random(in: machine.delay, using: &random)))
        lanes[direction.rawValue].packets.append(packet)
        lanes[direction.rawValue].last = time
        if !isHeld { schedule(direction, at: time) }
    }

    /// Lets the first packet arrive at a time.
    private func schedule(_ direction: Direction, at time: Duration) {
        world.at(time) { [weak self] in self?.arrive(direction) }
    }

    private func arrive(_ direction: Direction) {
        guard !isHeld, let packet = lanes[direction.rawValue].packets.first else { return }
        lanes[direction.rawValue].packets.removeFirst()
        if !packet.isLost { packet.arrive() }
    }

    /// Whether nothing passes.
    var isHeld: Bool { !holds.isEmpty }

    /// Holds all packets for a reason, or no longer does.
    func hold(_ isHeld: Bool, _ reason: Hold) {
        let before = self.isHeld
        if isHeld { holds.insert(reason) } else { holds.remove(reason) }
        guard before != self.isHeld else { return }
        if self.isHeld { return watch() }
        for direction in Direction.allCases {
            lanes[direction.rawValue].last = max(world.time, lanes[direction.rawValue].last)
            for _ in lanes[direction.rawValue].packets { schedule(direction, at: world.time) }
        }
    }

    /// Reports silence if nothing has passed after one and a half keep-alives.
    private func watch() {
        silences += 1
        let number = silences
        world.at(world.time + keepAlive * 1.5) { [weak self] in
            guard let self, isHeld, !isClosed, silences == number else { return }
            onSilence()
        }
    }

    /// Closes the connection: nothing more is sent.
    ///
    /// - Parameter fraction: which part of the bytes in flight still arrives, 0…1.
    func close(after fraction: Double) {
        guard !isClosed else { return }
        isClosed = true
        for direction in Direction.allCases {
            let packets = lanes[direction.rawValue].packets
            let sizes = packets.map { $0.size() }
            var left = Double(sizes.reduce(0, +)) * fraction
            for (packet, size) in zip(packets, sizes) {
                left -= Double(size)
                if left < 0 { packet.isLost = true }
            }
        }
    }
}
