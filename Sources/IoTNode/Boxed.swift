/// A large value that is stored on the heap, so that the values that contain it are small and cheap to copy.
///
/// It still has value semantics: a change to one copy does not change the others.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
    // SAFETY (`@unchecked Sendable`): the value changes only while a single box owns the storage.
    private final class Storage: @unchecked Sendable {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    var wrappedValue: Value {
        _read { yield storage.value }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }
}

extension Boxed: Equatable where Value: Equatable {
    static func == (one: Boxed, other: Boxed) -> Bool {
        one.storage === other.storage || one.storage.value == other.storage.value
    }
}

extension Boxed: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) { hasher.combine(storage.value) }
}
