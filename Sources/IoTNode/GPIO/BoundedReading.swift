/// What was read in portions of something that may never end.
struct BoundedReading<Element> {
    /// What there was.
    private(set) var elements: [Element] = []
    /// Whether there was no more.
    private(set) var isAll = false

    /// Reads until there is no more, or a number is reached.
    ///
    /// - Parameters:
    ///   - limit: how many to read; the last portion may go beyond it.
    ///   - portion: reads some; nil where there are none at present.
    init<Failure: Error>(upTo limit: Int, _ portion: () throws(Failure) -> [Element]?) throws(Failure) {
        while elements.count < limit {
            guard let more = try portion() else {
                isAll = true
                return
            }
            elements += more
        }
    }
}
