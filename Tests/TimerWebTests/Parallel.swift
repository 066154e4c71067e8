/// Runs `body` this many times concurrently, and returns the results in ascending order.
func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) async throws -> Int) async throws -> [Int] {
    try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<count { group.addTask { try await body(number) } }
        return try await group.reduce(into: []) { $0.append($1) }.sorted()
    }
}
