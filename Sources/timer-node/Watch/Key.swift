internal import TimerProtocol

/// A key of the keyboard, as a terminal sends it.
enum Key: Hashable {
    /// A letter, a digit or a sign.
    case character(Character)
    case up
    case down
    case enter
    case escape
    case backspace
    /// Ctrl-C, or the end of the input.
    case interrupt
    /// Ctrl-Z.
    case suspend
    /// Ctrl-L.
    case redraw

    /// The keys that bytes stand for. What is no key that this program knows is left out.
    static func keys(in bytes: [UInt8]) -> [Key] {
        var keys: [Key] = []
        var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        while let first = rest.popFirst() {
            switch first {
            case "\u{1B}": keys += escape(&rest)
            case "\r", "\n": keys.append(.enter)
            case "\u{08}", "\u{7F}": keys.append(.backspace)
            case "\u{03}", "\u{04}": keys.append(.interrupt)
            case "\u{1A}": keys.append(.suspend)
            case "\u{0C}": keys.append(.redraw)
            case _ where first.value >= 0x20: keys.append(.character(Character(first)))
            default: break
            }
        }
        return keys
    }

    /// What follows an Escape: nothing after the key itself, else a sequence such as `[A`.
    private static func escape(_ rest: inout Substring.UnicodeScalarView) -> [Key] {
        guard let bracket = rest.first, bracket == "[" || bracket == "O" else { return [.escape] }
        rest.removeFirst()
        var last: Unicode.Scalar?
        while let scalar = rest.popFirst() {
            last = scalar
            // Parameters come first; the letter that ends a sequence says what it is.
            if (0x40...0x7E).contains(scalar.value) { break }
        }
        return last == "A" ? [.up] : last == "B" ? [.down] : []
    }
}

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
            let trimmed = PayloadContent.trimmed(text)
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
