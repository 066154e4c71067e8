internal import TimerClient
internal import TimerEngine
internal import TimerProtocol

/// A node on one line, for a pipe.
struct NodeLine {
    let node: NodeMirror
    let now: NodeClient.Moment

    /// Such as `lectern  countdown  4:12 left  Talk  green  speaker: Ada Lovelace  message: Please wrap up`.
    var text: String {
        var words = [node.id]
        if !node.isOnline { words.append(node.availability?.rawValue ?? "unknown") }
        if let mode = node.mode { words.append(mode.rawValue) }
        if let over = node.overtime(at: now.instant) {
            words.append("\(TimeDisplay.time(over.wholeSeconds)) over")
        } else if let left = node.shownSeconds(at: now.instant) {
            words.append(TimeDisplay.left(left))
        }
        if let name = node.state?.timer.name, !name.isEmpty { words.append(name.terminalText) }
        if let outputs = node.state?.outputs {
            let lit = outputs.names.filter { outputs[$0] != .off }
            words.append(lit.isEmpty ? "dark" : lit.joined(separator: " + "))
        }
        if let speaker = node.state?.speaker { words.append("speaker: \(speaker.terminalText)") }
        if let message = node.message { words.append("message: \(message.text.terminalText)") }
        if let lock = node.lock { words.append(lock) }
        if let meeting = node.state?.meeting {
            words.append("meeting: \(meeting.name.terminalText)\(node.delay(at: now).map { ", \($0)" } ?? "")")
        }
        return words.joined(separator: "  ")
    }

    /// An object with `node`, `online`, and the newest `state`, `message` and `health`, as far as this version knows
    /// their fields; each is null where there is none.
    var json: String {
        var writer = JSONWriter(capacity: 1024)
        writer.object { writer in
            writer.member("node", node.id)
            writer.key("online")
            node.availability.map { $0 == .online }.write(to: &writer, ())
            let payloads = [
                ("state", node.state?.bytes), ("message", node.message?.bytes), ("health", node.health?.bytes),
            ]
            for (key, payload) in payloads {
                writer.key(key)
                if let payload { writer.encoded(payload) } else { writer.null() }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
