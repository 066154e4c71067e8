internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import LinuxSystem
internal import TimerClient
internal import TimerProtocol
internal import WebCore

extension RouterMethods<WebContext> {
    /// Adds the report of a node, as JSON and for a spreadsheet.
    func addRuns(_ live: Live) {
        get("/nodes/{id}/runs") { request, context in
            await answer { () async throws(APIError) in
                .json(try await Self.selection(live, request, context).bytes)
            }
        }
        get("/nodes/{id}/runs.csv") { request, context in
            await answer { () async throws(APIError) in
                let runs = try await Self.selection(live, request, context).runs
                // The oldest first, as `timer-node report` has them.
                let text = RunsText.csv(runs.reversed(), date: LocalTime.dayAndTime)
                return Response(
                    status: .ok,
                    headers: [
                        .contentType: "text/csv; charset=utf-8; header=present", .cacheControl: "no-store",
                        .contentDisposition: "attachment; filename=\"\(context.parameters.get("id") ?? "")-runs.csv\"",
                    ], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
            }
        }
    }

    private static func selection(
        _ live: Live, _ request: Request, _ context: WebContext
    ) async throws(APIError) -> RunsSelection {
        let identity = try context.requireIdentity(.remote)
        guard let id = context.parameters.get("id"), identity.sees(id), live.hub.snapshot.nodes[id] != nil else {
            throw .notFound
        }
        let from = try day("from", of: request).flatMap { LocalTime.date($0, TimeOfDay(secondOfDay: 0)) }
        let to = try day("to", of: request).flatMap { LocalTime.date($0.adding(days: 1), TimeOfDay(secondOfDay: 0)) }
        guard let report = await live.runs.report(of: id) else {
            throw APIError(.gatewayTimeout, "no_response", "\(id) did not answer")
        }
        return RunsSelection(of: report.runs, isComplete: report.isComplete, from: from, to: to)
    }

    private static func day(_ name: String, of request: Request) throws(APIError) -> CivilDate? {
        guard let text = request.uri.queryParameters[Substring(name)], !text.isEmpty else { return nil }
        guard let day = CivilDate(text) else {
            throw .invalidPayload("\(name) has to be a day such as 2026-11-20")
        }
        return day
    }
}
