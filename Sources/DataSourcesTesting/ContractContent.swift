import DataSources

/// The content of a source, in the order in which its keys were first written.
///
///     k=a            the note a under k, as one object
///     k=[a,b]        an array under k
///     *=[c,d]        notes stored as the whole content, under keys that the source chooses
struct ContractContent: Sendable {
  private enum Place {
    case one(key: String, Note)
    case many(key: String, [Note])
    case whole([Note])
  }

  private let places: [Place]

  /// Creates the content that a text describes.
  /// - Parameter text: The entries, separated by spaces. Notes are named by letters.
  init(_ text: String) {
    places = text.split(separator: " ").map { place in
      let parts = place.split(separator: "=", maxSplits: 1)
      let (key, value) = (String(parts[0]), parts[1])
      guard value.hasPrefix("[") else { return .one(key: key, Self.note(value)) }
      let notes = value.dropFirst().dropLast().split(separator: ",").map(Self.note)
      return key == "*" ? .whole(notes) : .many(key: key, notes)
    }
  }

  private static func note(_ letter: Substring) -> Note {
    [a, b, c, d].first { $0.id == letter } ?? Note(String(letter))
  }

  /// The calls that create this content in an empty source.
  var calls: [Call<Note>] {
    places.map { place in
      switch place {
      case .one(let key, let note): .put(note, IdQuery(key))
      case .many(let key, let notes): .putAll(notes, IdQuery(key))
      case .whole(let notes): .putAll(notes, all)
      }
    }
  }

  /// The calls that verify this content, with their expected results. Each key must hold exactly
  /// what this content has under it, one object or an array, and the source must contain nothing
  /// else.
  var proofs: [(call: Call<Note>, expected: Outcome<Note>)] {
    var proofs: [(Call<Note>, Outcome<Note>)] = []
    var total: [Note] = []
    for place in places {
      switch place {
      case .one(let key, let note):
        proofs.append((.get(IdQuery(key)), .object(note)))
        proofs.append((.getAll(IdQuery(key)), notFound))
        total.append(note)
      case .many(let key, let notes):
        proofs.append((.getAll(IdQuery(key)), .objects(notes)))
        proofs.append((.get(IdQuery(key)), notFound))
        total += notes
      case .whole(let notes): total += notes
      }
    }
    return proofs + [(.getAll(all), .objects(total))]
  }
}
