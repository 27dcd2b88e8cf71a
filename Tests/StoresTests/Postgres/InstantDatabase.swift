import ConformanceSupport
import InstaQL
import PostgresTestSupport
import Triples

/// The tables of an Instant server, with the indexes and functions that its queries use.
enum InstantDatabase {
  static let mine = "00000000-0000-4000-8000-00000000000a"
  static let other = "00000000-0000-4000-8000-00000000000b"

  static let tables = """
    CREATE TABLE apps (id uuid PRIMARY KEY, title text, created_at timestamp DEFAULT now(),
      status text DEFAULT 'active', deletion_marked_at timestamptz, connection_string bytea);
    CREATE TYPE checked_data_type AS ENUM ('string', 'number', 'boolean', 'date');
    CREATE TABLE attrs (id uuid PRIMARY KEY, app_id uuid, value_type text, cardinality text,
      is_unique bool, is_indexed bool, forward_ident uuid, etype text, label text, reverse_ident uuid,
      reverse_etype text, reverse_label text, checked_data_type checked_data_type, indexing bool,
      setting_unique bool, checking_data_type bool, deletion_marked_at timestamptz);
    CREATE TABLE triples (app_id uuid NOT NULL, entity_id uuid NOT NULL, attr_id uuid NOT NULL,
      value jsonb NOT NULL, created_at bigint NOT NULL, value_md5 text, ea bool DEFAULT false,
      eav bool DEFAULT false, vae bool DEFAULT false, av bool DEFAULT false, ave bool DEFAULT false,
      checked_data_type checked_data_type);
    CREATE TABLE transactions (id bigint GENERATED ALWAYS AS IDENTITY, app_id uuid,
      created_at timestamp DEFAULT now());
    INSERT INTO apps (id, title) VALUES ('a1111111-1111-1111-1111-111111111ca7', 'System');
    CREATE FUNCTION json_uuid_to_uuid(value jsonb) RETURNS uuid IMMUTABLE LANGUAGE plpgsql AS
      $$ BEGIN RETURN (value #>> '{}')::uuid; END $$;
    CREATE FUNCTION json_null_to_null(value jsonb) RETURNS jsonb IMMUTABLE LANGUAGE plpgsql AS
      $$ BEGIN RETURN nullif(value, 'null'); END $$;
    CREATE FUNCTION triples_extract_string_value(value jsonb) RETURNS text
      IMMUTABLE LANGUAGE plpgsql AS
      $$ BEGIN IF jsonb_typeof(value) = 'string' THEN RETURN value #>> '{}'; END IF;
        RETURN NULL; END $$;
    CREATE FUNCTION triples_extract_number_value(value jsonb) RETURNS double precision
      IMMUTABLE LANGUAGE plpgsql AS
      $$ BEGIN IF jsonb_typeof(value) = 'number' THEN RETURN value::double precision; END IF;
        RETURN NULL; END $$;
    CREATE FUNCTION triples_extract_date_value(value jsonb) RETURNS timestamptz
      IMMUTABLE LANGUAGE plpgsql AS
      $$ BEGIN
        IF jsonb_typeof(value) = 'number' THEN
          RETURN to_timestamp(value::double precision / 1000);
        END IF;
        IF jsonb_typeof(value) = 'string' THEN RETURN (value #>> '{}')::timestamptz; END IF;
        RETURN NULL; END $$;
    """

  /// Sets the flags of the triples by their attributes, as the server does, and creates its indexes.
  static let indexes = """
    UPDATE triples AS t SET value_md5 = md5(t.value::text), ea = a.cardinality = 'one',
      eav = a.value_type = 'ref', vae = a.value_type = 'ref', av = a.is_unique IS TRUE,
      ave = a.is_indexed IS TRUE, checked_data_type = a.checked_data_type
      FROM attrs AS a WHERE a.id = t.attr_id;
    ALTER TABLE triples ADD PRIMARY KEY (app_id, entity_id, attr_id, value_md5);
    CREATE UNIQUE INDEX ea_index ON triples (app_id, entity_id, attr_id) WHERE ea;
    CREATE UNIQUE INDEX eav_uuid_index
      ON triples (app_id, entity_id, attr_id, json_uuid_to_uuid(value)) WHERE eav;
    CREATE INDEX vae_uuid_index
      ON triples (app_id, json_uuid_to_uuid(value), attr_id, entity_id) WHERE vae;
    CREATE UNIQUE INDEX av_index
      ON triples (app_id, attr_id, json_null_to_null(value)) INCLUDE (entity_id) WHERE av;
    CREATE INDEX ave_with_e_index ON triples (app_id, attr_id, value, entity_id) WHERE ave;
    CREATE INDEX triples_created_at_idx ON triples (app_id, attr_id, created_at);
    CREATE INDEX triples_number_type_idx
      ON triples (app_id, attr_id, triples_extract_number_value(value) NULLS FIRST)
      WHERE ave AND checked_data_type = 'number';
    CREATE INDEX triples_date_type_idx
      ON triples (app_id, attr_id, triples_extract_date_value(value) NULLS FIRST)
      WHERE ave AND checked_data_type = 'date';
    ANALYZE;
    """

  /// The facts of a file as rows of one app.
  static func rows(of file: ConformanceFile, app: String) -> String {
    let store = file.store
    var lines = ["INSERT INTO apps (id, title) VALUES ('\(app)', '\(file.name)');"]
    func text(_ text: String?) -> String {
      text.map { "'" + $0.replacing("'", with: "''") + "'" } ?? "NULL"
    }
    for attribute in store.schema.attributes {
      lines.append(
        "INSERT INTO attrs VALUES ('\(attribute.id)', '\(app)', '\(attribute.valueType.rawValue)', "
          + "'\(attribute.cardinality.rawValue)', \(attribute.isUnique), \(attribute.isIndexed), NULL, "
          + "\(text(attribute.namespace)), \(text(attribute.label)), NULL, "
          + "\(text(attribute.reverse?.namespace)), \(text(attribute.reverse?.label)), "
          + "\(text(attribute.checkedType?.rawValue)));")
    }
    for attribute in store.schema.attributes {
      for entity in store.rows(attribute.id, .stored).handles {
        let values = store.values(entity, attribute.id)
        for (value, time) in zip(values, store.createdTimes(entity, attribute.id)) {
          lines.append(
            "INSERT INTO triples (app_id, entity_id, attr_id, value, created_at) VALUES ('\(app)', "
              + "'\(store.id(of: entity))', '\(attribute.id)', \(text(JSONWriter.text(value))), "
              + "\(time));")
        }
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The same attributes and entities as in the app of a file, with other values, as rows of
  /// another app.
  private static let copies = """
    INSERT INTO attrs (id, app_id, value_type, cardinality, is_unique, is_indexed, etype, label,
      reverse_etype, reverse_label)
      SELECT md5('other' || id::text)::uuid, '\(other)', value_type, cardinality, is_unique,
        is_indexed, etype, label, reverse_etype, reverse_label
      FROM attrs WHERE app_id = '\(mine)';
    INSERT INTO triples (app_id, entity_id, attr_id, value, created_at)
      SELECT '\(other)', t.entity_id, md5('other' || t.attr_id::text)::uuid,
        CASE WHEN a.value_type = 'ref' OR a.label = 'id' OR t.value = 'null' THEN t.value
          ELSE to_jsonb('top secret ' || t.value::text) END, t.created_at
      FROM triples AS t JOIN attrs AS a ON a.id = t.attr_id WHERE t.app_id = '\(mine)';
    """

  /// A database with the app of a file, another app with the same names and ids, a deleted
  /// attribute and the server's codes.
  static func make(_ file: ConformanceFile) throws -> TestPostgres {
    try PostgresServer.running().database(
      tables + rows(of: file, app: mine) + copies
        + """
        INSERT INTO apps (id, title) VALUES ('\(other)', 'other');
        INSERT INTO attrs (id, app_id, value_type, cardinality, etype, label) VALUES
          ('00000000-0000-4000-9000-000000000001', '\(other)', 'blob', 'one', 'users', 'secret'),
          ('00000000-0000-4000-9000-000000000002', '\(mine)', 'blob', 'one', '$magicCodes', 'code');
        INSERT INTO attrs (id, app_id, value_type, cardinality, etype, label, deletion_marked_at) VALUES
          ('00000000-0000-4000-9000-000000000003', '\(mine)', 'blob', 'one', 'x_deleted$users',
           'x_deleted$gone', now());
        INSERT INTO triples (app_id, entity_id, attr_id, value, created_at) VALUES
          ('\(other)', '00000000-0000-4000-8000-000000000001',
           '00000000-0000-4000-9000-000000000001', '"top secret"', 1),
          ('\(mine)', '00000000-0000-4000-8000-000000000002',
           '00000000-0000-4000-9000-000000000002', '"top secret"', 1),
          ('\(mine)', '00000000-0000-4000-8000-000000000003',
           '00000000-0000-4000-9000-000000000003', '"top secret"', 1);
        """ + indexes)
  }

  /// A role that row security restricts to an app without one of its entities, and without its
  /// transactions.
  ///
  /// - Parameter hidden: The entity that the role may not see.
  static func restriction(of role: String, hiding hidden: String) -> String {
    let tables = [
      ("apps", "id = '\(mine)'"), ("attrs", "app_id = '\(mine)'"),
      ("triples", "app_id = '\(mine)' AND entity_id <> '\(hidden)'"), ("transactions", "false"),
    ]
    let grants = """
      DO $$ BEGIN CREATE ROLE \(role) LOGIN;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$;
      GRANT SELECT ON attrs, triples, transactions TO \(role);
      GRANT SELECT (id, title, created_at, status, deletion_marked_at) ON apps TO \(role);
      """
    let policies = tables.map { table, condition in
      """
      ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY;
      CREATE POLICY restricted ON \(table) FOR SELECT TO \(role) USING (\(condition));
      """
    }
    return ([grants] + policies).joined(separator: "\n")
  }

  /// The rows of a new entity, as the server inserts them.
  static func insertion(of entity: String, identity: String) -> String {
    "INSERT INTO triples (app_id, entity_id, attr_id, value, value_md5, created_at, ea, av, ave) "
      + "VALUES ('\(mine)', '\(entity)', '\(identity)', '\"\(entity)\"', 'x', 5, true, true, true);"
  }

  /// An app of tasks and people with every kind of attribute.
  ///
  /// - Parameter count: The number of tasks; there is a person for each seven.
  static func tasks(_ count: Int) -> String {
    func attribute(
      _ number: Int, _ namespace: String, _ label: String, _ more: String = "false, false, NULL"
    ) -> String {
      "('\(id(9, number))', '\(mine)', 'blob', 'one', '\(namespace)', '\(label)', \(more))"
    }
    func link(_ number: Int, _ label: String, _ cardinality: String, _ reverse: String) -> String {
      "('\(id(9, number))', '\(mine)', 'ref', '\(cardinality)', 'tasks', '\(label)', false, false, "
        + "'people', '\(reverse)')"
    }
    func values(_ number: Int, _ value: String, _ condition: String = "true") -> String {
      "INSERT INTO triples (app_id, entity_id, attr_id, value, created_at) SELECT '\(mine)', "
        + "\(key(1)), '\(id(9, number))', \(value), 1000 + g * 7 % 50 "
        + "FROM generate_series(1, \(count)) AS g WHERE \(condition);"
    }
    let people = max(1, count / 7)
    return """
      INSERT INTO apps (id, title) VALUES ('\(mine)', 'tasks');
      INSERT INTO attrs (id, app_id, value_type, cardinality, etype, label, is_unique, is_indexed,
        checked_data_type) VALUES
        \(attribute(1, "tasks", "id", "true, true, NULL")),
        \(attribute(2, "tasks", "title", "false, true, 'string'")),
        \(attribute(3, "tasks", "hours", "false, true, 'number'")),
        \(attribute(4, "tasks", "due", "false, true, 'date'")),
        \(attribute(5, "tasks", "done", "false, true, 'boolean'")),
        \(attribute(6, "tasks", "mixed")), \(attribute(7, "tasks", "code", "true, false, NULL")),
        \(attribute(8, "tasks", "note", "false, false, 'string'")),
        \(attribute(9, "people", "id", "true, true, NULL")), \(attribute(10, "people", "name"));
      INSERT INTO attrs (id, app_id, value_type, cardinality, etype, label, is_unique, is_indexed,
        reverse_etype, reverse_label) VALUES \(link(11, "owner", "one", "owned")),
        \(link(12, "watchers", "many", "watched"));
      INSERT INTO attrs (id, app_id, value_type, cardinality, etype, label, is_unique, is_indexed)
        VALUES ('\(id(9, 13))', '\(mine)', 'blob', 'many', 'tasks', 'tags', false, false);
      \(values(1, "to_jsonb(\(key(1)))"))
      \(values(2, "to_jsonb('Task ' || chr(97 + g % 26) || g)"))
      \(values(3, "CASE WHEN g % 11 = 0 THEN 'null'::jsonb ELSE to_jsonb(g % 40 / 4.0) END"))
      \(values(4, "CASE WHEN g % 2 = 0 THEN to_jsonb(1736500000000 + g * 1000) ELSE "
        + "to_jsonb('2025-01-' || to_char(g % 28 + 1, 'FM00')) END", "g % 5 > 0"))
      \(values(5, "to_jsonb(g % 3 = 0)", "g % 7 > 0"))
      \(values(6, "CASE g % 7 WHEN 0 THEN 'null' WHEN 1 THEN to_jsonb(g) WHEN 2 THEN 'true' "
        + "WHEN 3 THEN '\"Émile\"' WHEN 4 THEN '[1, 2]' WHEN 5 THEN '{\"a\": 1}' "
        + "ELSE to_jsonb('t' || g) END", "g % 9 > 0"))
      \(values(7, "to_jsonb('c' || g)", "g % 3 > 0"))
      \(values(8, "to_jsonb(chr(101 + g % 3) || 'clair')"))
      \(values(11, "to_jsonb(\(key(2, "g % \(people) + 1")))", "g % 4 > 0"))
      \(values(12, "to_jsonb(\(key(2, "g % \(people) + 1")))"))
      \(values(12, "to_jsonb(\(key(2, "g * 3 % \(people) + 1")))", "g * 2 % \(people) <> 0"))
      \(values(13, "'\"a\"'")) \(values(13, "'\"b\"'", "g < 5"))
      INSERT INTO triples (app_id, entity_id, attr_id, value, created_at) SELECT '\(mine)', \(key(2)),
        a, CASE WHEN a = '\(id(9, 9))' THEN to_jsonb(\(key(2))) ELSE to_jsonb('Person ' || g) END, g
        FROM generate_series(1, \(people)) AS g, unnest('{\(id(9, 9)),\(id(9, 10))}'::uuid[]) AS a;
      """
  }

  /// Further tasks with few values, a third of them without hours.
  static func moreTasks(_ count: Int) -> String {
    [
      (1, "to_jsonb(\(key(1)))", "true"),
      (3, "CASE WHEN g % 10 < 2 THEN 'null'::jsonb ELSE to_jsonb(g % 97) END", "g % 10 <> 2"),
      (8, "to_jsonb('note ' || g % 50)", "g % 3 > 0"),
    ].map { attribute, value, condition in
      "INSERT INTO triples (app_id, entity_id, attr_id, value, created_at) SELECT '\(mine)', "
        + "\(key(1)), '\(id(9, attribute))', \(value), g / 2 "
        + "FROM generate_series(1000, \(count + 999)) AS g WHERE \(condition);"
    }.joined()
  }

  /// A UUID of a kind and a number.
  private static func id(_ kind: Int, _ number: Int) -> String {
    "00000000-0000-4000-\(kind)000-" + String(repeating: "0", count: 12 - "\(number)".count)
      + "\(number)"
  }

  /// An expression for the UUID of a kind and a number, as `id` writes it.
  private static func key(_ kind: Int, _ number: String = "g") -> String {
    "('00000000-0000-4000-8\(kind)00-' || lpad((\(number))::text, 12, '0'))::uuid"
  }
}
