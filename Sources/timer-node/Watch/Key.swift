internal import TimerProtocol

/// A key of the keyboard, as a terminal sends it.
enum Key: Hashable {
    /// A letter, a digit or a symbol.
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

    /// Returns the keys that bytes from a terminal represent; unknown keys are ignored.
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

    /// Reads what follows an Escape: nothing if it is the key itself, otherwise a sequence such as `[A`.
    private static func escape(_ rest: inout Substring.UnicodeScalarView) -> [Key] {
        guard let bracket = rest.first, bracket == "[" || bracket == "O" else { return [.escape] }
        rest.removeFirst()
        var last: Unicode.Scalar?
        while let scalar = rest.popFirst() {
            last = scalar
            // Parameters come first; the letter at the end of a sequence identifies the key.
            if (0x40...0x7E).contains(scalar.value) { break }
        }
        return last == "A" ? [.up] : last == "B" ? [.down] : []
    }
}

/// A message to the speaker that is being typed.
struct MessageDraft: Hashable {
    /// What a key did to the draft.
    enum Outcome: Hashable {
        case goesOn
        case isSent(Command)
        case isLeft
    }

    /// The id of the node that the message is for.
    let node: String
    private(set) var text = ""

    init(for node: String) { self.node = node }

    /// Handles a key. A character that no longer fits into the message is ignored.
    mutating func press(_ key: Key) -> Outcome {
        switch key {
        case .enter:
            // An empty string clears the message.
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

    /// Returns the input row; if the text does not fit, only its end.
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
