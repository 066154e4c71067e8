internal import TimerProtocol

/// A message to the speaker, while somebody types it.
struct MessageDraft: Hashable {
    /// What has become of it.
    enum Outcome: Hashable {
        case goesOn
        case isSent(Command)
        case isLeft
    }

    /// The id of the node that it is for.
    let node: String
    private(set) var text = ""

    init(for node: String) { self.node = node }

    /// Does what a key is for. What does not fit into a message any more is not taken.
    mutating func press(_ key: Key) -> Outcome {
        switch key {
        case .enter:
            // An empty text takes the message away.
            return .isSent(.talk(.message(trimmed.isEmpty ? nil : MessageToSpeaker(trimmed))))
        case .escape: return .isLeft
        case .backspace: text = String(text.dropLast())
        case .character(let character):
            let longer = text + String(character)
            if longer.count <= MessageToSpeaker.maximumCharacters, longer.utf8.count <= MessageToSpeaker.maximumBytes,
                !character.unicodeScalars.contains(where: \.isControl)
            {
                text = longer
            }
        case .up, .down, .interrupt, .suspend, .redraw: break
        }
        return .goesOn
    }

    /// The text without spaces at its ends.
    private var trimmed: String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// The row that it is typed in: the end of the text where not all of it fits.
    func row(_ style: TerminalStyle, columns: Int) -> ScreenRow {
        var row = ScreenRow(style, columns: columns)
        row.add("message: ", .init(colour: .yellow))
        // The last column is for the cursor.
        let room = columns - row.width - 1
        row.add(text.columns <= room ? text : style.ellipsis + text.suffix(columns: room - 1))
        row.add(" ", .init(isReversed: true))
        return row
    }
}
