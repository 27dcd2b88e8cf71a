/// The reference of the query language.
///
/// The help of the query editor, `sonde help language`, the manual page and `docs/queries.md` use it.
package enum QueryLanguage {
  /// The reference in Markdown, with headings, paragraphs, tables and indented examples.
  ///
  /// A test runs each example.
  package static let reference = #"""
    # The query language

    A query names a namespace, then clauses in any order. The same language is typed in the explorer
    (`F` edits the filter, `Q` the whole query) and on the command line:

        sonde query world 'cities filter population > 5_000_000 order population desc limit 3'

    The examples below query the bundled demos: `sonde query world`, `goals` or `company`.
    `sonde schema STORE` prints the namespaces, fields and links that a query can name.

    ## Clauses

    | clause | result |
    |---|---|
    | `filter CONDITION` | only the entities that meet the condition; `where` is a synonym |
    | `search "TEXT"` | only the entities with this text in any of their fields, ignoring case |
    | `order FIELD desc, FIELD` | sorted; without it, in the order of creation |
    | `limit 20`, `offset 40` | a page |
    | `first 20`, `last 20` | the beginning or the end of the order |
    | `after '[…]'`, `before '[…]'` | the page after or before a cursor |
    | `fields name, area` | only these fields, in this order; `fields *` is all of them |
    | `fields population / area as density` | a computed column |
    | `with cities { … }` | linked entities, nested |
    | `count` | the number of entities, instead of the entities |
    | `group by FIELD, FIELD` | one row for each combination of values; `by` may be left out, as the explorer does |
    | `aggregate sum(FIELD) as NAME` | numbers computed over the rows, or over each group |
    | `having CONDITION` | only the groups that meet the condition |
    | `distinct` | each row once, without duplicates |

    Keywords may be in capitals. A query may have several filters, which must all be true, and several
    orders, groups and aggregates; any other clause is allowed once. `;` separates several queries in
    one text, each of a different namespace:

        continents order name; languages filter speakers > 100_000_000 count

    ## Conditions

    | condition | true when |
    |---|---|
    | `name = "France"` | the values are equal; a number never equals a string. Also `==` |
    | `name != "France"` | the value differs or is missing. Also `<>` |
    | `area < 100`, `<=`, `>`, `>=` | the value comes before or after |
    | `area between 10 and 20` | the value is in the range, ends included |
    | `code in ("FR", "DE")` | the value is one of these; `not in` is the opposite |
    | `name like "A%"` | the text matches: `%` is any run of characters, `_` is one |
    | `name ilike "a%"` | the same, ignoring case |
    | `name contains "land"` | the text contains this text |
    | `name begins "New "` | the text begins with this text |
    | `name ends "burg"` | the text ends with this text |
    | `name matches "^A.*n$"` | the regular expression matches some part of the text |
    | `capital is null` | the value or link is null or missing; `is not null` is the opposite |
    | `done` | a boolean field is true |

    Conditions are joined with `and`, `or` and `not` (also `&&`, `||`, `!`). `not` binds tightest, then
    `and`, then `or`; parentheses change that.

        countries filter (code = "FR" or code = "DE") and area < 600_000
        countries filter population > 50_000_000 and not name like "A%" fields name, population
        countries filter code in ("FR", "DE") order name
        cities filter name begins "San " and population between 100_000 and 200_000
        countries filter capital is null count
        todos filter not done and due is not null order due limit 5

    `:` is `=`, and after it a single word needs no quotes:

        countries filter code: FR

    `search` can be combined with other conditions, before or after it:

        countries search "island" and area > 1000 fields name
        countries filter area < 50 and search "saint" fields name

    `search` looks for its whole text, spaces included, in each text field. It ignores case, but not
    accents.

    `field(…)` compares a field with another one:

        cities filter name = field(country.name)
        employees filter salary > field(manager.salary) fields name, salary

    ## Links

    A dot follows a link, in either direction. If a link has several targets, the condition is true if one
    of them matches. A link can be compared with a string if its targets are named by a field that the
    schema declares unique: `continent = "Asia"`, `continent: Asia`,
    `continent in ("Asia", "Europe")`, `continent begins "A"`.

        cities filter country.continent.name = "Europe" order population desc limit 3
        countries filter continent in ("Asia", "Europe") count
        countries filter cities.population > 10_000_000 fields name

    | condition | true when |
    |---|---|
    | `any cities (population > 1e7)` | at least one linked entity matches the whole condition |
    | `no cities (population > 1e5)` | none matches, or there are none |
    | `every cities (population > 1e5)` | all match, or there are none |
    | `together(cities.population > 1e6, cities.timezone: x)` | one linked entity meets all of these conditions |

    `cities.a = 1 and cities.b = 2` may be true for two different cities; `any cities (a = 1 and b = 2)`
    and `together(…)` require a single one.

        countries filter any cities (population > 5_000_000 and timezone = "Asia/Shanghai") fields name
        countries filter no cities (population > 100_000) count
        projects filter every members (active) fields name

    `count(cities)` is the number of linked entities, and so is `cities.count`, unless these
    have a field of that name. It can be used in conditions and after `order`:

        countries filter cities.count > 500 fields name
        countries filter count(cities) = 0 fields name limit 5
        countries order cities.count desc limit 5 fields name, cities.count

    `fields` includes linked entities, too: `fields name, continent.name` is short for
    `fields name with continent { fields name }`, and `cities.count` for `with cities { count }`.
    The columns of a link stand together where the list first names it. The name of the link alone is
    enough if `with` includes it; links that only `with` names come last.

        countries limit 5 fields name, continent.name, capital.population
        countries limit 5 fields name, continent, area with continent { fields name }

    A table shows such a link by the name of its entity. `as` turns a value at the end of a path into a
    plain column:

        cities limit 5 fields name, country.continent.name as continent

    The other functions of "Groups and aggregates" work on links, too: in conditions, in `fields` and
    after `order`.

        countries filter sum(cities.population) > 50M fields name
        countries fields name, max(cities.population) as biggest order biggest desc limit 5

    `with` nests linked entities. The braces contain clauses of a query, to any depth; `count` in them
    is the number of linked entities.

        countries order area desc limit 3 fields name with cities { order population desc limit 2 }
        countries limit 5 fields name with cities { count }
        goals fields title with owner { fields name }, todos { filter not done with tags }

    ## Order and pages

        countries order continent.name, population desc limit 10
        countries order population desc limit 10 offset 20
        countries order population desc last 3 fields name
        todos order serverCreatedAt desc limit 3

    `asc` and `desc` follow a field. Missing values come first, or last with `desc`. `serverCreatedAt`
    is the time of creation. The number of linked entities sorts and filters, too: `order loans.count desc`,
    `filter loans.count > 2`. With `last`, `offset` counts from the end. The cursors for `after` and
    `before` are `startCursor` and `endCursor` of the `pageInfo` in the JSON answer; with
    `inclusive` after the cursor, its row is part of the page.

    Strings in a field that the schema declares as text are ordered as in English, by the root order of the
    Unicode collation: by letters, then by accents, then lower case before upper case (`ana`, `Ana`, `bo`,
    `Zoe`). Strings in fields of other or several types are ordered by UTF-16 code units, so `Zoe`
    comes before `ana`. In conditions, `<` and `>` always compare strings by code units. A large table of a
    database may be ordered by the database's own collation.

    ## Groups and aggregates

    | function | result |
    |---|---|
    | `count()` | the number of entities |
    | `count(FIELD)` | the number of values, not counting missing ones |
    | `sum(FIELD)` | the sum of numbers; 0 if there are none |
    | `count(distinct FIELD)` | the number of different values |
    | `average(FIELD)` | the mean of numbers; null if there are none. Also `avg` |
    | `median(FIELD)` | the middle number, or the mean of the middle two; null if there are none |
    | `min(FIELD)`, `max(FIELD)` | the smallest and the largest value; null if there are none |

    The parentheses may be left out: `sum population`, `count`. `count(*)` is `count()`.

    `as NAME` names a column; without it `sum(area)` is `sum_area`. `group by` alone counts. Groups are
    ordered by their columns.

        countries group by continent.name
        countries group by continent.name aggregate sum(population) as people order people desc
        countries group by continent.name aggregate sum population order sum(population) desc
        countries aggregate min(population), max(population), average(area)
        todos group by assignee.name, done
        employees distinct fields title, level order level desc

    `having` filters the groups by their columns, after they are computed; `filter` chooses the
    entities before. A column is named as in the answer, or by its function:

        countries group by continent.name having count > 20
        cities group by country.name aggregate sum population having sum(population) > 50M

    ## Computed values

    An expression can be used wherever a field can: in `filter`, `order`, `fields`, `group by`, `having`
    and within aggregates. `*`, `/` and `%` bind tighter than `+` and `-`; parentheses change
    that. After `aggregate` and `order`, an aggregate of the rows cannot be part of an expression:
    `sum(a / b)` is allowed, `sum(a) / count()` is not. `having` can compute with the columns of groups, and
    aggregates of linked entities can be part of any expression: `sum(cities.population) / area`.

    | function | value |
    |---|---|
    | `lower(name)`, `upper(name)`, `trim(name)` | the string in lower or upper case; without spaces at its ends |
    | `length(name)` | the number of characters, or of elements of a JSON list |
    | `concat(name, ", ", code)` | the values joined into one string |
    | `round(area)`, `round(area, 1)` | rounded, with halves rounded away from zero; also `floor`, `ceil`, `abs` |
    | `year(due)`, `month(due)`, `day(due)`, `weekday(due)` | parts of a date in UTC; Monday is 1 |
    | `coalesce(due, created)` | the first value that is not missing |

        countries fields name, population / area as density order density desc limit 5
        countries filter population / area > 1000 and length(name) < 8 fields name
        countries fields *, round(population / area, 1) as density limit 3
        countries fields name, continent.name as part, coalesce(capital.name, "none") as seat limit 5
        todos group by year(due) as year aggregate count
        countries group by continent.name aggregate sum(population / area) as total having total > 10

    `as NAME` names a column; without it, the text of the expression is the name. `order` and `having`
    may use the name. The name of a field cannot be used. In an expression a path must lead to one value,
    so a link to many entities needs an aggregate.

    A missing value is null, and null in an operation or a function gives null, except in `coalesce`
    and `concat`. Division by zero and values of the wrong type give null, too; if the schema knows the
    type, a wrong type is an error. `/` gives a fraction if the result is not a whole number. A comparison with null is
    false, except `!=` and `is null`.

    A dot leads into JSON, too, and brackets to an element of a list: `meta.size > 3`,
    `meta.tags[0] = "new"`, `meta.tags[-1]` for the last one. A key or element that does not exist is a missing value. Keys
    with a dot in their name cannot be used.

    A regular expression supports letters, `.`, sets such as `[a-z_]` and `[^0-9]`, `\d`, `\w`, `\s` and
    their opposites `\D`, `\W`, `\S`, `\b`, the ends `^` and `$`, `|`, groups, and `*`, `+`, `?`,
    `{2,5}`; `(?i)` in front ignores case. It has no backreferences, so matching takes time in proportion to
    the text. Backslashes are not doubled.

        cities filter name matches "^(San|Santa) " and name matches "(?i)[aeiou]$" fields name

    An expression may have up to 200 parts, a query up to 100 computed columns.

    ## Values and names

    | value | written |
    |---|---|
    | string | `"Asia"` or `'Asia'`; escapes `\"`, `\'`, `\\`, `\n`, `\r`, `\t`, `\u{1F600}` |
    | pattern | after `like` and `ilike`, `\%` and `\_` are the characters themselves |
    | number | `42`, `-1.5`, `1e6`, `20_000_000`, `20,000,000`, `20 000 000`, `20M`, `1.5k`, `2b` |
    | boolean | `true`, `false` |
    | nothing | `null` |
    | date | `2026-12-01`, `"2026-12-01T10:00:00Z"`, with or without quotes; or milliseconds since 1970 |
    | day | `today`, `yesterday`, `tomorrow`, `3 days ago`, `2 weeks from now`, by the calendar of this computer |
    | id | `"88d8c3d7-cfb6-86b1-bf54-e289acab2836"` |
    | any JSON | `json "[1, 2]"` |

    `date "2026-12-01"` marks a string as a date in a field that may hold any value. A date that is not in
    the calendar is an error.

        todos filter due < date "2026-12-01" order due, title

    `due = today` is true for every time on that day. `in last 7 days`, `in next 2 weeks` and
    `in this month` (`day`, `week`, `month`, `quarter` or `year`) are the days up to, from or around today. Such a
    day is determined when the query is parsed; a query that stays open past midnight keeps it.

        todos filter due in next 30 days or due < today order due
        todos filter due in this year count
        todos filter due < 3 months from now count

    All of this needs a field of dates; `sonde schema STORE` shows the types. Dates in a CSV file or in a
    SQLite column declared `TEXT` are strings: `year(due)`, `due < today`, `due in next 7 days` and
    `date "2026-12-01"` are errors there. Compare them with a string, `due < "2026-12-01"`, or declare the
    field as a date: `DATE` in SQLite, `"valueType": "date"` in the `schema.json` of a folder.

    `--` begins a comment, which ends at the end of the line; `/*` begins one that ends at `*/`. In the
    parentheses after `in`, a comma always separates two values.

    A name that is not a single word, or is a keyword, is written in backquotes:
    `` `Body Mass (g)` ``, `` `order` ``. A backquote in a name is doubled. `$entityIdStartsWith` finds
    entities by the start of their id:

        countries filter `name` = "France"
        countries filter $entityIdStartsWith = "88d8c3d7" fields name

    ## InstaQL

    Text that begins with `{` is InstaQL, the JSON of Instant's clients:

        {"countries": {"$": {"where": {"code": "FR"}}, "cities": {"$": {"limit": 3}}}}

    In the explorer `i` shows a query as text, as InstaQL or in Swift. These parts cannot be
    written in InstaQL, so an Instant server cannot evaluate them: `group by`, `aggregate`, `having`,
    `distinct`, aggregates of linked entities, computed values, paths into JSON, `matches` and
    `field(…)`. Sonde computes them from the answers of such a server, and in a database as far as SQL
    can express them. In a query stored as JSON, they have their own keys: `x-group`,
    `x-aggregates`, `x-having`, `x-distinct`, `x-order`, `x-count`, `x-field`, `x-matches`, and
    `x-computed` with a name and an expression for each column. A key that begins with `=` is an
    expression:

        {"countries": {"$": {"where": {"=population / area": {"$gt": 5000}}, "fields": ["name"]}}}
    """# + "\n"
}
