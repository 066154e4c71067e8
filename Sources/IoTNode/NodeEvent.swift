package import BrokerLink
package import Calendar
package import NodePorts

/// What reaches the core.
package enum NodeEvent: Hashable, Sendable {
    /// The node begins, with what it saved before and the id of the machine's boot.
    case started(saved: [UInt8]?, boot: String)
    /// ``NodeCore/nextInstant`` came.
    case timePassed
    /// The connection reports.
    case connection(ConnectionEvent)
    /// The output lines could not be requested or set.
    case outputsFailed(LinesFault)
    /// The output lines are held.
    case outputsAcquired(HeldOutputs)
    /// The buttons report, or their lines could not be requested.
    case inputs(InputEvent)
    /// The buttons' lines are held.
    case inputsAcquired(HeldInputs)
    /// A GPIO chip came or went, or others may use it than before.
    case chipsChanged
    /// The store reports.
    case store(StoreEvent)
    /// The saved state could not be read; comes together with ``started(saved:boot:)``.
    case loadFailed(StoreError)
    /// The saved runs were read; nil if there are none. Comes together with ``started(saved:boot:)``, before it.
    case runsLoaded([UInt8]?)
    /// The saved runs could not be read; comes in the place of ``runsLoaded(_:)``.
    case loadRunsFailed(StoreError)
    /// SIGHUP arrived: ``NodeLoop`` reads the configuration again, and the core hears of it only where it changed.
    case reloadRequested
    /// The memory of the process in bytes, as asked for; nil where that is not known.
    case memoryMeasured(Int?)
    /// Time zones were read, as asked for.
    case timeZonesRead(TimeZones)
    /// Whether the wall clock can be believed, as asked for: there is a clock that goes on while the machine is off, or the
    /// system says that it is synchronised.
    case clockChecked(isTrusted: Bool)
    /// Somebody set the wall clock; instants are not affected.
    case wallClockSet
    /// SIGTERM or SIGINT arrived.
    case terminate
}
