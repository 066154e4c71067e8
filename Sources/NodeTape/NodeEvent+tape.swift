import BrokerLink
import Calendar
import IoTNode
import NodePorts
import TimerEngine

// Each kind of event has a number, which never changes. A new kind gets a new number.

extension TapeWriter {
    mutating func event(_ event: NodeEvent) {
        switch event {
        case .started(let saved, let boot):
            tag(1)
            optional(saved) { $0.array($1) }
            text(boot)
        case .timePassed: tag(2)
        case .connection(let event):
            tag(3)
            connectionEvent(event)
        case .outputsFailed(let fault):
            tag(4)
            text(fault.description)
        case .outputsAcquired(let held):
            tag(5)
            optional(held.chip) { $0.text($1) }
            text(held.backend)
        case .inputs(.edges(let edges)):
            tag(6)
            list(edges) {
                $0.text($1.line)
                $0.flag($1.isActive)
                $0.instant($1.instant)
            }
        case .inputs(.failed(let fault)):
            tag(7)
            text(fault.description)
        case .inputsAcquired(let held):
            tag(8)
            list(held.active.sorted()) { $0.text($1) }
            flag(held.areDebounced)
        case .chipsChanged: tag(9)
        case .store(.stored(let number)):
            tag(10)
            count(number)
        case .store(.failed(let number, let error)):
            tag(11)
            count(number)
            text(error.description)
        case .store(.setAside(let what, .success(let file))):
            tag(12)
            setAside(what)
            text(file)
        case .store(.setAside(let what, .failure(let error))):
            tag(13)
            setAside(what)
            text(error.description)
        case .loadFailed(let error):
            tag(14)
            text(error.description)
        case .runsLoaded(let runs):
            tag(15)
            optional(runs) { $0.array($1) }
        case .loadRunsFailed(let error):
            tag(16)
            text(error.description)
        case .reloadRequested: tag(17)
        case .memoryMeasured(let bytes):
            tag(18)
            optional(bytes) { $0.count($1) }
        case .timeZonesRead(let zones):
            tag(19)
            timeZones(zones)
        case .clockChecked(let isTrusted):
            tag(20)
            flag(isTrusted)
        case .wallClockSet: tag(21)
        case .terminate: tag(22)
        }
    }

    private mutating func connectionEvent(_ event: ConnectionEvent) {
        switch event {
        case .connected: tag(1)
        case .lost(let error):
            tag(2)
            text(error.description)
            flag(error.hintsAtOlderProtocol)
            flag(error.isUnexplainedClose)
        case .accepted(let filter):
            tag(3)
            text(filter)
        case .rejected(let rejection):
            tag(4)
            text(rejection.topic)
            if case .publication(_, let isRetained) = rejection.subject { tag(isRetained ? 2 : 1) } else { tag(0) }
            optional(rejection.code) { $0.count($1) }
            text(rejection.reason)
        case .tooLarge(let topic, let bytes, let limit):
            tag(5)
            text(topic)
            count(bytes)
            count(limit)
        case .leftOut(let topic, let bytes, let limit):
            tag(6)
            text(topic)
            count(bytes)
            count(limit)
        case .dropped(let number):
            tag(7)
            count(number)
        case .message(let message):
            tag(8)
            text(message.topic)
            array(message.payload)
            flag(message.retained)
            optional(message.responseTopic) { $0.text($1) }
            optional(message.correlationData) { $0.array($1) }
            list(message.subscriptions) { $0.count($1) }
        }
    }

    mutating func setAside(_ what: SetAside) {
        switch what {
        case .document(let suffix):
            tag(1)
            text(suffix)
        case .runs(let suffix):
            tag(2)
            text(suffix)
        case .edits(let timers, let suffix):
            tag(3)
            array(timers)
            text(suffix)
        }
    }

    /// Writes the files of the zones.
    private mutating func timeZones(_ zones: TimeZones) {
        optional(zones.machine.file) { $0.array($1) }
        optional(zones.machineName) { $0.text($1) }
        list(zones.named.sorted { $0.key < $1.key }) { writer, zone in
            writer.text(zone.key)
            writer.optional(zone.value.file) { $0.array($1) }
        }
        list(zones.asked.sorted()) { $0.text($1) }
        list(zones.faults) { $0.text($1) }
    }
}

extension TapeReader {
    mutating func event() throws(TapeError) -> NodeEvent {
        switch try tag() {
        case 1:
            let saved = try optional { (reader) throws(TapeError) in try reader.array() }
            return .started(saved: saved, boot: try text())
        case 2: return .timePassed
        case 3: return .connection(try connectionEvent())
        case 4: return .outputsFailed(LinesFault(try text()))
        case 5:
            let chip = try optional { (reader) throws(TapeError) in try reader.text() }
            return .outputsAcquired(HeldOutputs(chip: chip, backend: try text()))
        case 6:
            return .inputs(
                .edges(
                    try list { (reader) throws(TapeError) in
                        let (line, isActive) = (try reader.text(), try reader.flag())
                        return Edge(line: line, isActive: isActive, at: try reader.instant())
                    }))
        case 7: return .inputs(.failed(LinesFault(try text())))
        case 8:
            let active = Set(try list { (reader) throws(TapeError) in try reader.text() })
            return .inputsAcquired(HeldInputs(active: active, areDebounced: try flag()))
        case 9: return .chipsChanged
        case 10: return .store(.stored(try count()))
        case 11: return .store(.failed(try count(), StoreError(try text())))
        case 12: return .store(.setAside(try setAside(), .success(try text())))
        case 13: return .store(.setAside(try setAside(), .failure(StoreError(try text()))))
        case 14: return .loadFailed(StoreError(try text()))
        case 15: return .runsLoaded(try optional { (reader) throws(TapeError) in try reader.array() })
        case 16: return .loadRunsFailed(StoreError(try text()))
        case 17: return .reloadRequested
        case 18: return .memoryMeasured(try optional { (reader) throws(TapeError) in try reader.count() })
        case 19: return .timeZonesRead(try timeZones())
        case 20: return .clockChecked(isTrusted: try flag())
        case 21: return .wallClockSet
        case 22: return .terminate
        default: throw .damaged
        }
    }

    private mutating func connectionEvent() throws(TapeError) -> ConnectionEvent {
        switch try tag() {
        case 1: return .connected
        case 2:
            let (description, isOlder) = (try text(), try flag())
            return .lost(
                ConnectionError(description, hintsAtOlderProtocol: isOlder, isUnexplainedClose: try flag()))
        case 3: return .accepted(filter: try text())
        case 4:
            let (topic, kind) = (try text(), try tag())
            let code = try optional { (reader) throws(TapeError) in try reader.count() }
            return .rejected(
                Rejection(
                    kind == 0 ? .subscription(filter: topic) : .publication(topic: topic, isRetained: kind == 2),
                    code: code, reason: try text()))
        case 5: return .tooLarge(topic: try text(), bytes: try count(), limit: try count())
        case 6: return .leftOut(topic: try text(), bytes: try count(), limit: try count())
        case 7: return .dropped(try count())
        case 8:
            let (topic, payload, retained) = (try text(), try array(), try flag())
            let responseTopic = try optional { (reader) throws(TapeError) in try reader.text() }
            let correlationData = try optional { (reader) throws(TapeError) in try reader.array() }
            return .message(
                IncomingMessage(
                    topic: topic, payload: payload, retained: retained, responseTopic: responseTopic,
                    correlationData: correlationData,
                    subscriptions: try list { (reader) throws(TapeError) in try reader.count() }))
        default: throw .damaged
        }
    }

    private mutating func setAside() throws(TapeError) -> SetAside {
        switch try tag() {
        case 1: return .document(suffix: try text())
        case 2: return .runs(suffix: try text())
        case 3: return .edits(try array(), suffix: try text())
        default: throw .damaged
        }
    }

    private mutating func timeZones() throws(TapeError) -> TimeZones {
        func rules(_ file: [UInt8]?) throws(TapeError) -> TimeZoneRules {
            guard let file else { return .utc }
            do throws(TimeZoneFault) { return try TimeZoneRules(tzif: file) } catch { throw .damaged }
        }
        let machine = try rules(try optional { (reader) throws(TapeError) in try reader.array() })
        let machineName = try optional { (reader) throws(TapeError) in try reader.text() }
        let named = try list { (reader) throws(TapeError) in
            let name = try reader.text()
            return (name, try rules(try reader.optional { (reader) throws(TapeError) in try reader.array() }))
        }
        let asked = try list { (reader) throws(TapeError) in try reader.text() }
        return TimeZones(
            machine: machine, machineName: machineName, named: Dictionary(named) { $1 }, asked: Set(asked),
            faults: try list { (reader) throws(TapeError) in try reader.text() })
    }
}
