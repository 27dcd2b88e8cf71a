import Explorer
import InstaQL
import Testing
import Triples

@Suite("Rows of a database")
struct DatabaseRowTests {
  private static let ann = EntityID("a0000000-0000-4000-8000-000000000001")
  private static let order = EntityID("b0000000-0000-4000-8000-000000000001")

  private static func column(
    _ namespace: String, _ label: String, _ name: String, _ place: Int, _ type: CheckedType
  ) -> Attribute {
    var attribute = Attribute(
      id: AttributeID("\(namespace).\(label)"), namespace: namespace, label: label
    ).with { $0.checkedType = type }
    attribute.isColumn = true
    attribute.isUnique = label == "id"
    attribute.column = Attribute.Column(name: name, place: place)
    return attribute
  }

  private static func identity(_ namespace: String) -> Attribute {
    var attribute = Attribute(
      id: AttributeID("\(namespace)._id"), namespace: namespace, label: "_id", constraints: .unique)
    attribute.isColumn = true
    attribute.isInternal = true
    return attribute
  }

  @Test("the schema shows the declared type of a column")
  func declaredType() throws {
    var data = Self.column("photos", "data", "data", 1, .string)
    data.checkedType = nil
    data.column = Attribute.Column(name: "data", place: 1, type: "blob")
    var size = Self.column("photos", "size", "size", 2, .number)
    size.column = Attribute.Column(name: "size", place: 2, type: "real")
    #expect(size.column?.type == "real")
    var store = TripleStore()
    for attribute in [Self.identity("photos"), data, size] { store.addAttribute(attribute) }
    let screen = try Screen(columns: 110, rows: 24, query: QueryPlan("photos"), store: store)
    #expect(screen.text.contains(#/data +blob /#), "\(screen.text)")
    #expect(screen.text.contains(#/size +real /#), "\(screen.text)")
  }

  @Test(
    "a fraction is rejected in a column that is declared for integers",
    arguments: ["integer", "bigint", "real", "point"])
  func fraction(type: String) throws {
    var store = try Self.shop()
    var weight = Self.column("orders", "weight", "weight", 5, .number)
    weight.column = Attribute.Column(name: "weight", place: 5, type: type)
    store.addAttribute(weight)
    try store.transact(
      Transaction([.addTriple(.id(Self.order), weight.id, 2)]), rules: .optimistic)
    var screen = try Screen(
      columns: 110, query: QueryPlan("orders").fields(["weight"]), store: store)
    screen.press("e ctrl-u")
    screen.type("1.5")
    screen.press("enter")
    let isInteger = ["integer", "bigint"].contains(type)
    #expect(screen.transactions.isEmpty == isInteger, "\(screen.text)")
    #expect(screen.text.contains("weight must be a whole number or null") == isInteger)
    // Without a fraction, the number is accepted.
    screen.press("e ctrl-u")
    screen.type("3.0")
    screen.press("enter")
    #expect(screen.transactions.last?.steps.count == 1)
  }

  @Test("arrays are not offered for editing, nor in the form of a new row")
  func fixedArrays() throws {
    var store = try Self.shop()
    var tags = Self.column("orders", "tags", "tags", 5, .string)
    tags.checkedType = nil
    tags.column = Attribute.Column(name: "tags", place: 5, type: "text[]")
    store.addAttribute(tags)
    try store.transact(
      Transaction([.addTriple(.id(Self.order), tags.id, ["new"])]), rules: .optimistic)
    var screen = try Screen(
      columns: 110, query: QueryPlan("orders").fields(["tags"]), store: store)
    screen.press("e")
    #expect(
      screen.text.contains("orders.tags is an array, which Sonde cannot edit."), "\(screen.text)")
    screen.press("a")
    #expect(screen.text.contains("│  note"), "\(screen.text)")
    #expect(!screen.text.contains("│  tags"), "\(screen.text)")
  }

  @Test("the list of columns names the foreign key that a link shows")
  func keyOfLink() throws {
    var screen = try Screen(columns: 160, query: QueryPlan("orders"), store: try Self.shop())
    screen.press("c")
    #expect(screen.text.contains(#/\[x\] customer +key customer_key, /#), "\(screen.text)")
  }

  @Test("a large database groups by the foreign key and the label of a link's target")
  func groupedByLink() throws {
    for isPartial in [false, true] {
      var screen = try Screen(
        columns: 130, query: QueryPlan("orders"), store: try Self.shop(), isPartial: isPartial)
      screen.press("4 $ #")
      #expect(
        screen.watched.contains {
          $0.document.text
            == (isPartial
              ? "orders group customer_key, customer.name order count desc"
              : "orders group customer order count desc")
        }, "\(screen.watched.map(\.document.text))")
    }
  }

  /// A shop with an order of customer 7, and the names of its columns in the database.
  private static func shop() throws -> TripleStore {
    var store = TripleStore()
    var link = Attribute(
      id: AttributeID("orders.customer"), namespace: "orders", label: "customer",
      reverse: Attribute.Name(namespace: "customers", label: "orders"), valueType: .ref)
    link.isColumn = true
    var key = column("orders", "customer_key", "customer", 1, .number)
    key.keyOf = link.id
    var total = column("orders", "double", "double", 4, .number)
    total.isGenerated = true
    for attribute in [
      identity("orders"), column("orders", "note", "note", 2, .string),
      column("orders", "paid", "paid", 3, .boolean), total,
      column("orders", "id", "id", 0, .number), key, link,
      identity("customers"), column("customers", "name", "name", 1, .string),
      column("customers", "id", "id", 0, .number),
    ] { store.addAttribute(attribute) }
    func set(_ entity: EntityID, _ name: String, _ value: Value) -> TransactionStep {
      .addTriple(.id(entity), AttributeID(name), value)
    }
    try store.transact(
      Transaction([
        set(ann, "customers._id", .text(ann.text)), set(ann, "customers.name", "Ann"),
        set(ann, "customers.id", 7), set(order, "orders._id", .text(order.text)),
        set(order, "orders.note", "it's"), set(order, "orders.paid", true),
        set(order, "orders.double", 2), set(order, "orders.id", 1),
        set(order, "orders.customer_key", 7), set(order, "orders.customer", .text(ann.text)),
      ]), rules: .optimistic)
    return store
  }

  /// Ann and her report Bob, with these keys.
  private static func people(_ keys: [Value], haveUniqueNames: Bool) throws -> TripleStore {
    let bob = EntityID("a0000000-0000-4000-8000-000000000002")
    var link = Attribute(
      id: AttributeID("people.boss"), namespace: "people", label: "boss",
      reverse: Attribute.Name(namespace: "people", label: "reports"), valueType: .ref)
    link.isColumn = true
    var name = column("people", "name", "name", 1, .string)
    name.isUnique = haveUniqueNames
    var key = column("people", "id", "id", 0, .number)
    if case .text = keys[0] { key.checkedType = .string }
    var store = TripleStore()
    for attribute in [identity("people"), key, name, link] { store.addAttribute(attribute) }
    try store.transact(
      Transaction(
        [(ann, keys[0], "Ann"), (bob, keys[1], "Bob")].flatMap { entity, key, name in
          [
            .addTriple(.id(entity), AttributeID("people._id"), .text(entity.text)),
            .addTriple(.id(entity), AttributeID("people.id"), key),
            .addTriple(.id(entity), AttributeID("people.name"), .text(name)),
          ] as [TransactionStep]
        } + [.addTriple(.id(bob), link.id, .text(ann.text))]), rules: .optimistic)
    return store
  }

  @Test("a link's target is searched by its label and numeric key, and by its id if that is long")
  func targetSearch() throws {
    for (typed, condition) in [
      ("4", #"name ilike "%4%" or id = 4"#), ("be", #"name ilike "%be%""#),
      ("a0000000-0", #"name ilike "%a0000000-0%" or $entityIdStartsWith = "a0000000-0""#),
    ] {
      var screen = try Screen(
        columns: 110, query: QueryPlan("orders"), store: try Self.shop())
      screen.press("4 $ e")
      screen.type(typed)
      let search = try #require(
        screen.watched.last { $0.document.text.hasPrefix("customers filter ") }, "\(screen.text)")
      #expect(search.document.text.contains("filter \(condition) limit "), "\(search)")
    }
  }

  @Test("the breadcrumb of rows that a link leads to names the row that it comes from")
  func followedLink() throws {
    var screen = try Screen(
      columns: 110, query: QueryPlan("people").order("id"),
      store: try Self.people([1, 2], haveUniqueNames: false))
    screen.press("4 $ enter")
    #expect(screen.watched.last?.document.text == "people filter boss.id = 1", "\(screen.text)")
    #expect(screen.row(0).contains(#/garden › people › boss = (1 · )?Ann /#), "\(screen.text)")
    // It stays when another condition follows.
    screen.press("F")
    screen.type("and name = \"Bob\"")
    screen.press("enter")
    #expect(screen.row(0).contains(#/boss = (1 · )?Ann and name/#), "\(screen.text)")
  }

  @Test(
    "a link is followed by a unique name where the keys are UUIDs",
    arguments: [true, false])
  func opaqueKey(haveUniqueNames: Bool) throws {
    let keys = [1, 2].map { "7a000000-0000-4000-8000-00000000000\($0)" }
    var screen = try Screen(
      columns: 110, query: QueryPlan("people").order("id"),
      store: try Self.people(keys.map { .text($0) }, haveUniqueNames: haveUniqueNames))
    screen.press("4 $ enter")
    #expect(
      screen.watched.last?.document.text
        == (haveUniqueNames
          ? #"people filter boss.name = "Ann""# : #"people filter boss.id = "\#(keys[0])""#))
    #expect(screen.row(0).contains("garden › people › boss = Ann "), "\(screen.text)")
  }

  private static func copies(
    _ keys: String, _ plan: QueryPlan, changing values: [String: Value] = [:]
  ) throws -> [String] {
    var store = try shop()
    try store.transact(
      Transaction(values.map { .addTriple(.id(order), AttributeID("orders." + $0), $1) }),
      rules: .optimistic)
    var screen = try Screen(query: plan, store: store)
    screen.press(keys)
    return screen.effects.compactMap { if case .copy(let text) = $0 { text } else { nil } }
  }

  @Test("an entity is copied as a valid INSERT statement")
  func statement() throws {
    #expect(
      try Self.copies("y n", QueryPlan("orders")) == [
        """
        INSERT INTO "orders" ("id", "customer", "note", "paid") VALUES (1, 7, 'it''s', TRUE);
        """
      ])
  }

  @Test("a statement encodes NUL and names omitted columns")
  func whatIsNotWritten() throws {
    #expect(
      try Self.copies(
        "y n", QueryPlan("orders"), changing: ["note": "a\0b", "paid": ["bytes": 3]])
        == [
          """
          INSERT INTO "orders" ("id", "customer", "note") VALUES (1, 7, 'a'||char(0)||'b'); \
          -- without paid: bytes are not loaded
          """
        ])
  }

  @Test("a quote with a combining accent is escaped")
  func accentedQuotes() throws {
    let copied = try Self.copies(
      "y n", QueryPlan("orders"), changing: ["note": "it'\u{301}s"])
    #expect(copied.first?.unicodeScalars.split(separator: "'").count == 4, "\(copied)")
    var screen = try Screen(
      query: QueryPlan("orders").filter(.isIn(AttributePath(["note"]), [.text("'\u{301}; ls")])),
      store: try Self.shop())
    screen.press("y l")
    let command = screen.effects.compactMap { if case .copy(let text) = $0 { text } else { nil } }
    #expect(command.first?.unicodeScalars.contains { $0 == "\\" } == true, "\(command)")
  }

  @Test("rows are copied as CSV in the columns of their table", arguments: ["y r", "y s"])
  func separated(keys: String) throws {
    #expect(
      try Self.copies(keys, QueryPlan("orders")) == ["id,customer,note,paid,double\n1,7,it's,1,2\n"]
    )
  }

  @Test("named fields keep their names")
  func named() throws {
    #expect(
      try Self.copies("y s", QueryPlan("orders").fields(["id", "paid"])) == ["id,paid\n1,1\n"])
  }

  @Test("a file contains the foreign key and the whole key of a linked row")
  func wholeKeys() throws {
    var store = try Self.shop()
    try store.transact(
      Transaction([
        .addTriple(.id(Self.ann), AttributeID("customers.id"), 1_234_567_890_123_456)
      ]), rules: .optimistic)
    var screen = try Screen(columns: 120, query: QueryPlan("orders"), store: store)
    #expect(screen.text.contains("12345678… · Ann"), "\(screen.text)")
    screen.press("E enter")
    let order = try #require(screen.ordered)
    let lines = try order.text(as: .csv).split(separator: "\n")
    #expect(lines[0].hasSuffix(",customer_key,customer"), "\(lines)")
    #expect(lines[1].hasSuffix(",7,1234567890123456 · Ann"), "\(lines)")
    #expect(try order.remarks == [])
  }

  @Test("a link is copied as its foreign key")
  func links() throws {
    #expect(try Self.copies("$ y c", QueryPlan("orders")) == ["7"])
    #expect(try Self.copies("$ y c", QueryPlan("customers")) == ["1"])
  }

  @Test(
    "a link filters by its foreign key, and from the other end by a unique column")
  func filters() throws {
    var screen = try Screen(columns: 110, query: QueryPlan("orders"), store: try Self.shop())
    screen.press("$ f")
    #expect(screen.line(with: "customer_key = 7") != nil)
    #expect(screen.line(with: "customer_key in (7, ") != nil)
    screen.press("=")
    #expect(screen.line(with: "orders filter customer_key = 7") != nil)
    screen = try Screen(columns: 110, query: QueryPlan("customers"), store: try Self.shop())
    screen.press("$ f =")
    #expect(screen.line(with: "customers filter orders.id = 1") != nil)
  }

  @Test("a filter by a linked row is shown by its key and its label, and can be typed back")
  func linkedRows() throws {
    var store = try Self.shop()
    let other = EntityID("a0000000-0000-4000-8000-000000000002")
    try store.transact(
      Transaction([
        .addTriple(.id(other), AttributeID("customers._id"), .text(other.text)),
        .addTriple(.id(other), AttributeID("customers.name"), "Ann"),
        .addTriple(.id(other), AttributeID("customers.id"), 8),
      ]), rules: .optimistic)
    let customer: AttributePath = "customer._id"
    let plan = QueryPlan("orders").filter(.compare(customer, .equal, .text(Self.ann.text)))
    let screen = try Screen(columns: 110, query: plan, store: store)
    let shown = "orders filter customer.id = 7 /* Ann */"
    #expect(screen.line(with: shown) != nil, "\(screen.text)")
    #expect(
      try QueryDocument(text: shown, schema: store.schema).plans
        == [QueryPlan("orders").filter(.compare("customer.id", .equal, 7))])
    let back = QueryPlan("customers").filter(
      .compare("orders._id", .notEqual, .text(Self.order.text)))
    let others = try Screen(columns: 110, query: back, store: store)
    #expect(others.line(with: "customers filter orders.id != 1 ") != nil, "\(others.text)")
    #expect(others.line(with: "/*") == nil)
  }

  /// Countries with codes, and a city with the key `key`.
  private static func world(key: String) throws -> TripleStore {
    var store = TripleStore()
    var link = Attribute(
      id: AttributeID("countries.capital"), namespace: "countries", label: "capital",
      reverse: Attribute.Name(namespace: "cities", label: "countries"), valueType: .ref)
    link.isColumn = true
    var code = column("countries", "code", "code", 1, .string)
    code.isUnique = true
    for attribute in [
      identity("countries"), column("countries", "id", "id", 0, .string), code,
      column("countries", "name", "name", 2, .string),
    ] { store.addAttribute(attribute.with { $0.isRequired = !$0.isIdentity }) }
    for attribute in [
      link, identity("cities"), column("cities", "id", "id", 0, .string),
      column("cities", "name", "name", 1, .string),
    ] { store.addAttribute(attribute) }
    let (country, city) = (ann, order)
    func set(_ entity: EntityID, _ name: String, _ value: String) -> TransactionStep {
      .addTriple(.id(entity), AttributeID(name), .text(value))
    }
    try store.transact(
      Transaction([
        set(city, "cities._id", city.text), set(city, "cities.id", key),
        set(city, "cities.name", "Kabul"),
        set(country, "countries._id", country.text), set(country, "countries.id", country.text),
        set(country, "countries.code", "af"), set(country, "countries.name", "Afghanistan"),
        set(country, "countries.capital", city.text),
      ]), rules: .optimistic)
    return store
  }

  /// The world with a column of whole numbers in its cities.
  private static func worldWithSizes() throws -> TripleStore {
    var size = column("cities", "size", "size", 2, .number)
    size.column = Attribute.Column(name: "size", place: 2, type: "integer")
    var store = try world(key: "c1")
    store.addAttribute(size)
    return store
  }

  @Test("a new row gets a UUID as its key, but no code", arguments: [false, true])
  func newRow(isPartial: Bool) throws {
    var screen = try Screen(
      columns: 110, query: QueryPlan("countries"), store: try Self.world(key: "c1"),
      isReadAsNeeded: isPartial)
    screen.press("4 a")
    screen.type("Zed")
    #expect(screen.line(with: "a new UUID")?.contains("* id ") == true, "\(screen.text)")
    #expect(!screen.text.contains("derived from name"), "\(screen.text)")
    screen.press("enter")
    screen.type("zz")
    screen.press("enter")
    #expect(screen.notice?.text == "Created Zed.")
    let store = screen.store
    let made = try #require(
      store.rows(of: "countries").handles.first { store.id(of: $0) != Self.ann })
    #expect(
      store.value(made, AttributeID("countries.id")) == .text(store.id(of: made).text))
    #expect(store.value(made, AttributeID("countries.code")) == "zz")
  }

  @Test(
    "a linked row is named with its key unless the key is a UUID",
    arguments: [("c1", "c1 · Kabul →"), (order.text, "Kabul →")])
  func readableKeys(key: String, shown: String) throws {
    let screen = try Screen(
      columns: 160, query: QueryPlan("countries"), store: try Self.world(key: key))
    #expect(screen.text.contains(shown), "\(screen.text)")
    #expect(!screen.text.contains("… · Kabul"), "\(screen.text)")
  }

  @Test("a key of UUIDs is the last attribute, and stays there when a row gets a readable key")
  func opaqueKeyLast() throws {
    var store = try Self.world(key: "c1")
    var screen = try Screen(columns: 110, query: QueryPlan("countries"), store: store)
    #expect(screen.text.contains(#/name +code +id /#), "\(screen.text)")
    try store.transact(
      Transaction([.addTriple(.id(Self.ann), AttributeID("countries.id"), "af1")]),
      rules: .optimistic)
    screen.reread(store)
    #expect(screen.line(with: "af1") != nil, "\(screen.text)")
    #expect(screen.text.contains(#/name +code +id /#), "\(screen.text)")
  }

  @Test("a readable key follows the label, and fields keep the order of the query")
  func readableKeyFirst() throws {
    var store = try Self.world(key: "c1")
    let fields = QueryPlan("countries").fields(["name", "id", "code"])
    var screen = try Screen(columns: 110, query: fields, store: store)
    #expect(screen.text.contains(#/name +id +code /#), "\(screen.text)")
    try store.transact(
      Transaction([.addTriple(.id(Self.ann), AttributeID("countries.id"), "af1")]),
      rules: .optimistic)
    screen = try Screen(columns: 110, query: QueryPlan("countries"), store: store)
    #expect(screen.text.contains(#/name +id +code /#), "\(screen.text)")
  }

  @Test("a key that is declared as uuid is the last attribute of an empty table, too")
  func declaredOpaqueKey() throws {
    var key = Self.column("tags", "id", "id", 0, .string)
    key.column = Attribute.Column(name: "id", place: 0, type: "uuid")
    var store = TripleStore()
    for attribute in [
      Self.identity("tags"), key, Self.column("tags", "name", "name", 1, .string),
      Self.column("tags", "color", "color", 2, .string),
    ] { store.addAttribute(attribute) }
    let screen = try Screen(columns: 110, query: QueryPlan("tags"), store: store)
    #expect(screen.text.contains(#/name +color +id /#), "\(screen.text)")
  }

  @Test("a number that its column would round is rejected while it is typed")
  func largeNumber() throws {
    var screen = try Screen(
      columns: 160, query: QueryPlan("cities").fields(["size"]),
      store: try Self.worldWithSizes())
    screen.press("4 g 0 e")
    screen.type("9223372036854775808")
    let range = "from -9223372036854775808 to 9223372036854775807"
    #expect(screen.text.contains("size must be a whole number \(range)"), "\(screen.text)")
    screen.press("backspace")
    #expect(!screen.text.contains("must be"), "\(screen.text)")
    screen.press("enter")
    #expect(screen.transactions.count == 1)
  }

  @Test("a long error in the form for a new row is shown whole below the fields")
  func longError() throws {
    var screen = try Screen(
      columns: 60, query: QueryPlan("cities"), store: try Self.worldWithSizes())
    screen.press("4 a down down")
    screen.type("9223372036854775808")
    #expect(screen.line(with: "size must be a whole number from") != nil, "\(screen.text)")
    #expect(screen.line(with: "to 9223372036854775807") != nil, "\(screen.text)")
    #expect(screen.line(with: "9223372036854775808 ") != nil, "\(screen.text)")
  }

  @Test("a row is copied by its key, not by a synthetic id")
  func keys() throws {
    #expect(try Self.copies("y k", QueryPlan("orders")) == ["1"])
    #expect(try Self.copies("space y d", QueryPlan("customers")) == ["7"])
  }

  @Test("an unknown row is named by table and number")
  func bare() throws {
    var store = TripleStore()
    store.addAttribute(Self.identity("bare"))
    let row = try #require(EntityID(number: 3, in: EntityID.high(of: "bare")))
    try store.transact(
      Transaction([.addTriple(.id(row), AttributeID("bare._id"), .text(row.text))]),
      rules: .optimistic)
    var screen = try Screen(query: QueryPlan("bare"), store: store)
    screen.press("d")
    #expect(screen.line(with: "Delete bare 3?") != nil)
  }

  @Test(
    "a deletion from a table whose rows no undo restores is announced as final",
    arguments: [true, false])
  func untold(isWithoutRowID: Bool) throws {
    var store = try Self.shop()
    var identity = Self.identity("badges")
    if isWithoutRowID { identity.isWithoutRowID = true } else { identity.isPosition = true }
    var link = Attribute(
      id: AttributeID("badges.customer"), namespace: "badges", label: "customer",
      reverse: Attribute.Name(namespace: "customers", label: "badges"), valueType: .ref
    ).with { $0.onDelete = .cascade }
    link.isColumn = true
    for attribute in [identity, link] { store.addAttribute(attribute) }
    let badge = EntityID("c0000000-0000-4000-8000-000000000001")
    let plan = QueryPlan("customers")
    var screen = try Screen(
      columns: 110, query: plan, store: store, changeDetection: "data_version")
    screen.press("d")
    let way = screen.line(with: "can be undone if at most 10,000 rows are deleted")
    #expect(way?.contains("ROWID") == false)
    try store.transact(
      Transaction([
        .addTriple(.id(badge), identity.id, .text(badge.text)),
        .addTriple(.id(badge), link.id, .text(Self.ann.text)),
      ]), rules: .optimistic)
    screen = try Screen(columns: 110, query: plan, store: store, changeDetection: "data_version")
    screen.press("d")
    let reason = isWithoutRowID ? "is a WITHOUT ROWID table" : "has no key"
    #expect(screen.line(with: "cannot be undone (badges \(reason))") != nil)
  }

  @Test("a BLOB is a size in a cell, a record and a tree", arguments: ["0", "enter", "v"])
  func size(keys: String) throws {
    var screen = try Screen(
      columns: 110, query: QueryPlan("prints"), store: Self.prints(["bytes": 3]))
    screen.press(keys)
    #expect(screen.line(with: "3 B") != nil, "\(screen.text)")
    #expect(!screen.text.contains("bytes"), "\(screen.text)")
  }

  @Test("bytes are not offered for editing", arguments: ["0 e", "0 enter e"])
  func fixedBytes(keys: String) throws {
    var screen = try Screen(
      columns: 110, query: QueryPlan("prints"), store: Self.prints(["bytes": 3]))
    screen.press(keys)
    #expect(
      screen.text.contains("prints.film contains binary data, which Sonde cannot edit."),
      "\(screen.text)")
    #expect(!screen.text.contains("Edit film"))
  }

  private static let print = EntityID(number: 1, in: EntityID.high(of: "prints"))

  /// A table with a film, which may be the size of a BLOB.
  private static func prints(_ film: Value) throws -> TripleStore {
    let row = try #require(print)
    var store = TripleStore()
    var column = Self.column("prints", "film", "film", 1, .string)
    column.checkedType = nil
    for attribute in [
      identity("prints"), Self.column("prints", "id", "id", 0, .number), column,
    ] { store.addAttribute(attribute) }
    try store.transact(
      Transaction([
        .addTriple(.id(row), AttributeID("prints._id"), .text(row.text)),
        .addTriple(.id(row), AttributeID("prints.id"), 1),
        .addTriple(.id(row), column.id, film),
      ]), rules: .optimistic)
    return store
  }

  @Test(
    "bytes are copied in base64, and in a statement as SQL literals",
    arguments: [
      ("y n", "INSERT INTO \"prints\" (\"id\", \"film\") VALUES (1, X'0A0BFF');"),
      ("y r", "id,film\n1,Cgv/\n"), ("y s", "id,film\n1,Cgv/\n"), ("0 y c", "Cgv/"),
    ])
  func bytes(_ keys: String, _ expected: String) throws {
    let row = try #require(Self.print)
    var screen = try Screen(query: QueryPlan("prints"), store: try Self.prints(["bytes": 3]))
    screen.press(keys)
    guard case .text(let rendering, let sink)? = screen.preparations.last else {
      Issue.record("No text is made aside: \(screen.text)")
      return
    }
    #expect(rendering.blobQuery?.text.contains(row.text) == true)
    let complete = rendering.resolvingBlobs(by: try Self.prints("Cgv/"))
    #expect(try sink.text(of: complete) == expected)
  }
}
