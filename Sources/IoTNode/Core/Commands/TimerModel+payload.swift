internal import FoundationEssentials
internal import TimerEngine

extension TimerModel {
    /// The model of a `timers` command.
    static func decode(_ json: JSON) throws(Refusal) -> TimerModel {
        let model = try decodeAny(json)
        for (index, group) in model.groups.enumerated() {
            let texts = [group.name] + group.timers.flatMap { [$0.name, $0.event ?? "", $0.location ?? ""] }
            guard texts.allSatisfy(PlainText.fits) else {
                throw Refusal(
                    .invalidPayload,
                    "field groups[\(index + 1)]: found another name or text, expected \(PlainText.expected)")
            }
        }
        return model
    }

    private static func decodeAny(_ json: JSON) throws(Refusal) -> TimerModel {
        do {
            return try JSONDecoder().decode(TimerModel.self, from: Data(json.bytes))
        } catch let error as ModelError {
            throw Refusal(.invalidPayload, error.description)
        } catch let error as TimerEngine.ThresholdsError {
            throw Refusal(.invalidPayload, error.description)
        } catch let error as DecodingError {
            throw Refusal(.invalidPayload, error.account)
        } catch {
            throw Refusal(.invalidPayload, "\(error)")
        }
    }
}

extension DecodingError {
    /// Which field, and what is wrong with it.
    fileprivate var account: String {
        func place(_ path: [any CodingKey]) -> String {
            path.map { $0.intValue.map { "[\($0 + 1)]" } ?? ".\($0.stringValue)" }.joined().drop { $0 == "." }
                .description
        }
        return switch self {
        case .keyNotFound(let key, let context): "field \(place(context.codingPath + [key])) is missing"
        case .typeMismatch(let type, let context): "field \(place(context.codingPath)): expected \(type)"
        case .valueNotFound(let type, let context): "field \(place(context.codingPath)): expected \(type), found null"
        case .dataCorrupted(let context): "field \(place(context.codingPath)): \(context.debugDescription)"
        @unknown default: "not a model"
        }
    }
}
