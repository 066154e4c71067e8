internal import FoundationEssentials
package import TimerEngine

extension TimerModel {
    /// Returns the readable selector of a timer, such as `2/1 Questions`: its path and its name. The name is trimmed,
    /// since a payload loses leading and trailing white space.
    package func selector(of path: TimerPath) -> String {
        PayloadContent.trimmed("\(path) \(self[path]?.name ?? "")")
    }

    /// Returns the path of the timer that matches a selector: `2/1`, `2` (the first timer of that group), `2/1
    /// Questions`, an id, or a name that only one timer has.
    package func path(selector: String) throws(Refusal) -> TimerPath {
        let parts = selector.split(separator: " ", maxSplits: 1).map(String.init)
        if let path = parts.first.flatMap({ TimerPath($0) }), let timer = self[path] {
            guard parts.count == 1 || PayloadContent.trimmed(parts[1]) == PayloadContent.trimmed(timer.name) else {
                throw Refusal(.notFound, "timer \(path) is named \(timer.name.quoted), not \(parts[1].quoted)")
            }
            return path
        }
        if let group = WholeNumber.parse(selector), groups.indices.contains(group - 1) {
            return TimerPath(group: group - 1, item: 0)
        }
        if let id = UUID(uuidString: selector), let path = path(of: id) { return path }
        let named = paths.filter { self[$0]?.name == selector }
        guard let path = named.first else {
            throw Refusal(.notFound, "there is no timer \(selector.quoted)")
        }
        guard named.count == 1 else {
            let some = named.map(\.description).listed(upTo: 8)
            throw Refusal(.notFound, "\(named.count) timers are named \(selector.quoted): \(some)")
        }
        return path
    }
}
