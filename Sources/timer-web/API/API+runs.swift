internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import LinuxSystem
internal import TimerClient
internal import TimerProtocol
internal import WebCore

/// The report of a node, as JSON and for a spreadsheet.
extension API {
    func runsCSV(_ request: Request, _ context: WebContext) async throws(APIError) -> Response {
        // The oldest first, as `timer-node report` has them.
        let runs = try await runs(request, context).runs.reversed()
        let text = RunsText.csv(Array(runs), date: LocalTime.dayAndTime)
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/csv; charset=utf-8; header=present", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"\(context.id)-runs.csv\"",
            ], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    func runs(_ request: Request, _ context: WebContext) async throws(APIError) -> RunsSelection {
        let id = context.id
        guard try context.requireIdentity().sees(id), live.hub.snapshot.nodes[id] != nil else {
            throw .notFound
        }
        let from = try Self.day("from", of: request).flatMap { LocalTime.date($0, TimeOfDay(secondOfDay: 0)) }
        let to = try Self.day("to", of: request).flatMap {
            LocalTime.date($0.adding(days: 1), TimeOfDay(secondOfDay: 0))
        }
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
