/// The zones that an agenda may have.
package struct TimeZones: Hashable, Sendable {
    /// The machine's own.
    package let machine: TimeZoneRules
    /// Those that were asked for and that there are, by their names.
    package let named: [String: TimeZoneRules]
    /// Those that were asked for, whether there are such zones or not.
    package let asked: Set<String>
    /// The machine's zone has this name; nil where it has none.
    package let machineName: String?
    /// What could not be read, and why, a line each.
    package let faults: [String]

    package init(
        machine: TimeZoneRules, machineName: String? = nil, named: [String: TimeZoneRules], asked: Set<String>,
        faults: [String] = []
    ) {
        self.machine = machine
        self.machineName = machineName
        self.named = named
        self.asked = asked
        self.faults = faults
    }
}
