internal import FoundationEssentials

/// The only event that a run can be dated back to.
private enum PastEvent: String, CaseIterable, ScalarValue { case lastEnd = "last_end" }

extension RunBeginning {
    /// Visits the fields `ago` and `since` of a start.
    static func arguments(
        ofStart beginning: inout Self?, _ visitor: inout some FieldVisitor
    ) throws(Refusal) {
        var (ago, since): (Int?, PastEvent?) = (nil, nil)
        switch beginning {
        case .ago(let seconds): ago = seconds
        case .lastEnd: since = .lastEnd
        case .at, nil: break
        }
        try visitor.seconds("ago", &ago, "How long ago it really began; at most 24 h.")
        try visitor.field("since", &since, .omitted, "`last_end` if it began when the last run ended.")
        try visitor.check { (fields) throws(Refusal) in
            try check(ago, fields)
            if ago != nil, since != nil {
                throw Refusal(.invalidPayload, "fields \"ago\" and \"since\" cannot be combined")
            }
        }
        beginning = ago.map { .ago($0) } ?? since.map { _ in .lastEnd }
    }

    /// Visits the fields `ago` and `at` of `began`.
    mutating func arguments(_ visitor: inout some FieldVisitor) throws(Refusal) {
        var (ago, date): (Int?, Date?) = (nil, nil)
        switch self {
        case .ago(let seconds): ago = seconds
        case .at(let then): date = then
        // The command before its arguments are read.
        case .lastEnd: break
        }
        try visitor.seconds("ago", &ago, "How long ago the run really began; at most 24 h.")
        try visitor.field("at", &date, .omitted, "When the run really began, within the last 24 h.")
        try visitor.check { (fields) throws(Refusal) in
            try Self.check(ago, fields)
            if (ago == nil) == (date == nil) {
                throw Refusal(.invalidPayload, "began needs one of the fields \"ago\" and \"at\"")
            }
        }
        self = date.map { .at($0) } ?? .ago(ago ?? 0)
    }

    private static func check(_ ago: Int?, _ fields: PayloadFields) throws(Refusal) {
        guard let ago, !(0...longest).contains(ago) else { return }
        throw fields.refusal("ago", found: "\(ago) s", expected: "0 s to \(longest) s")
    }
}
