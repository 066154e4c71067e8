/// Counts the elements of collections inside a value.
struct Census {
    private(set) var total = 0
    private(set) var largest = ""
    private var largestCount = 0

    mutating func count(_ value: Any, at place: String) {
        let mirror = Mirror(reflecting: value)
        let isCollection =
            switch mirror.displayStyle {
            case .collection, .set, .dictionary: true
            default: false
            }
        // The bytes of a payload count as one.
        if value is [UInt8] { return total += 1 }
        if isCollection {
            total += mirror.children.count
            if mirror.children.count > largestCount {
                (largestCount, largest) = (mirror.children.count, place)
            }
        }
        for child in mirror.children { count(child.value, at: "\(place).\(child.label ?? "")") }
    }
}
