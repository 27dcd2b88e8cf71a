/// Triggers that notify listening stores of changed tables. Only the user installs and removes
/// them; opening a store does not.
package enum PostgresTriggers {
  /// The channel of NOTIFY; `schema` is the schema that contains the trigger function.
  static let channel = "sonde"
  static let schema = "sonde_live"

  /// A warning to show before the installation.
  package static let warning =
    "NOTIFY takes a server-wide lock during commit, so transactions that write to these tables "
    + "commit one at a time. Writes with session_replication_role = replica are not detected. Every "
    + "role of the database can see which table changed, but not which rows."

  private static let function = """
    CREATE SCHEMA IF NOT EXISTS \(schema);
    GRANT USAGE ON SCHEMA \(schema) TO PUBLIC;
    CREATE OR REPLACE FUNCTION \(schema).notify() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, pg_temp AS $body$
    BEGIN
      PERFORM pg_catalog.pg_notify('\(channel)', TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME);
      RETURN NULL;
    END $body$;
    """

  /// Returns the statements that install triggers on tables.
  ///
  /// - Parameter tables: The names of the tables as written in SQL.
  static func installing(on tables: [String]) -> String {
    ([function]
      + tables.map { table in
        """
        DROP TRIGGER IF EXISTS \(schema) ON \(table);
        CREATE TRIGGER \(schema) AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON \(table)
          FOR EACH STATEMENT EXECUTE FUNCTION \(schema).notify();
        """
      }).joined(separator: "\n")
  }

  /// The statements that remove the function and all triggers.
  package static let removing = """
    DROP FUNCTION IF EXISTS \(schema).notify() CASCADE;
    DROP SCHEMA IF EXISTS \(schema);
    """

  /// Returns the statements that install triggers on the named tables, or on all tables if `names`
  /// is empty.
  ///
  /// - Throws: ``StoreError`` if a name is not a table, if the tables are those of an Instant server,
  ///   or the server is unreachable.
  @concurrent
  package static func installation(
    in parameters: PostgresParameters, on names: [String]
  ) async throws(StoreError) -> String {
    do {
      let connection = try PostgresConnection(parameters)
      let (tables, isInstant) = try await connection.read { session in
        (try Self.tables(session), try InstantApps.haveTables(session))
      }
      await connection.close()
      if isInstant { throw StoreError.broken(path: InstantWords.noTriggers(parameters.name)) }
      if names.isEmpty { return installing(on: tables.map(\.sqlName)) }
      var chosen: [String] = []
      for name in names {
        let found = tables.filter {
          [$0.name, PostgresCatalog.qualifiedName($0.schema, $0.name)].contains(name)
        }
        guard !found.isEmpty else {
          throw StoreError.broken(path: "There is no table '\(name)' in \(parameters.name).")
        }
        chosen += found.map(\.sqlName)
      }
      return installing(on: chosen)
    } catch {
      throw StoreError(postgres: error, of: parameters)
    }
  }

  /// Executes statements in one transaction, so that either all or none of them take effect.
  @concurrent
  package static func run(
    _ statements: String, in parameters: PostgresParameters
  ) async throws(StoreError) {
    do {
      let connection = try PostgresConnection(parameters, isWritable: true)
      _ = try await connection.read { session in
        _ = try session.run("BEGIN;\n\(statements)\nCOMMIT")
      }
      await connection.close()
    } catch let error as PostgresError where error.isRejection {
      throw .unwritable(path: parameters.shown, reason: error.rejection)
    } catch {
      throw StoreError(postgres: error, of: parameters)
    }
  }

  private struct Table: Sendable {
    var schema: String
    var name: String
    /// The name as written in SQL.
    var sqlName: String
  }

  /// Reads the tables. The result includes partitions and inheriting tables, since a statement on
  /// such a table does not fire triggers of its parent.
  private static func tables(_ session: PostgresSession) throws -> [Table] {
    let rows = try session.rows(
      """
      SELECT n.nspname, c.relname FROM pg_catalog.pg_class AS c
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p') AND n.nspname NOT LIKE 'pg\\_%'
        AND n.nspname NOT IN ('information_schema', $1)
      ORDER BY n.nspname, c.relname LIMIT 100000
      """, [schema])
    var tables: [Table] = []
    while try rows.step() {
      let (schema, name) = (rows.text(0), rows.text(1))
      tables.append(
        Table(schema: schema, name: name, sqlName: "\(schema.quotedSQL).\(name.quotedSQL)"))
    }
    return tables
  }
}
