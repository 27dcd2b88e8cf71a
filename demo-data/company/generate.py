#!/usr/bin/env python3
"""Invents the `company` demo: Halden Instruments, a maker of measuring instruments that does not exist.

    python3 generate.py

Writes the four namespaces beside this file. The seed is fixed: every run gives the same bytes.
"""
import datetime
import json
import pathlib
import random
import unicodedata

HERE = pathlib.Path(__file__).resolve().parent
SEED = 2026
TODAY = datetime.date(2026, 11, 2)
FOUNDED = datetime.date(2009, 3, 2)
EMPLOYEES = 200

OFFICES = [  # key, name, city, country, address, opened, seats, share of the staff
    ("bergen", "Bergen", "Bergen", "Norway", "Nøstegaten 41", "2009-03-02", 110, 0.40),
    ("lyon", "Lyon", "Lyon", "France", "12 quai Rambaud", "2014-09-01", 60, 0.22),
    ("porto", "Porto", "Porto", "Portugal", "Rua da Alegria 207", "2017-05-15", 50, 0.18),
    ("toronto", "Toronto", "Toronto", "Canada", "84 Wellesley Street", "2019-10-07", 36, 0.12),
    ("osaka", "Osaka", "Osaka", "Japan", "Kitahama 3-8", "2022-04-04", 24, 0.08),
]
COST_OF_LIVING = {"bergen": 1.12, "lyon": 1.0, "porto": 0.82, "toronto": 1.05, "osaka": 0.94}

# key, name, share of the staff, budget in thousands, floor, (title by level 1…5), base salary of level 1
DEPARTMENTS = [
    ("engineering", "Engineering", 0.29, 7_400, 3, ("Engineer", "Engineer", "Senior Engineer", "Principal Engineer", "Engineering Manager"), 52_000),
    ("manufacturing", "Manufacturing", 0.20, 5_200, 0, ("Assembler", "Technician", "Senior Technician", "Shift Lead", "Production Manager"), 36_000),
    ("sales", "Sales", 0.13, 2_900, 2, ("Sales Associate", "Account Executive", "Senior Account Executive", "Key Account Lead", "Sales Manager"), 42_000),
    ("support", "Customer Support", 0.11, 1_650, 2, ("Support Agent", "Support Specialist", "Senior Specialist", "Field Expert", "Support Manager"), 37_000),
    ("research", "Research", 0.08, 2_300, 4, ("Research Assistant", "Scientist", "Senior Scientist", "Principal Scientist", "Research Lead"), 50_000),
    ("quality", "Quality", 0.06, 1_100, 1, ("Inspector", "Quality Engineer", "Senior Quality Engineer", "Auditor", "Quality Manager"), 43_000),
    ("finance", "Finance", 0.05, 780, 5, ("Accountant", "Accountant", "Senior Accountant", "Controller", "Finance Manager"), 44_000),
    ("marketing", "Marketing", 0.04, 1_250, 2, ("Marketing Assistant", "Marketer", "Senior Marketer", "Product Marketer", "Marketing Manager"), 41_000),
    ("people", "People", 0.04, 620, 5, ("People Assistant", "Recruiter", "People Partner", "Senior People Partner", "People Manager"), 40_000),
]
DIRECTORS = {
    "engineering": "VP Engineering", "manufacturing": "VP Manufacturing", "sales": "VP Sales", "support": "Head of Support",
    "research": "Head of Research", "quality": "Head of Quality", "finance": "Chief Financial Officer",
    "marketing": "Head of Marketing", "people": "Head of People",
}
LEVELS = {1: 1.0, 2: 1.18, 3: 1.42, 4: 1.72, 5: 1.95, 6: 2.7, 7: 3.6}  # times the base salary
TEAM = 8  # people who report to one manager, at most

PROJECTS = [  # name, departments, status, budget in thousands, start, deadline
    ("Buoy Mark IV", "engineering research manufacturing", "active", 1_450, "2025-09-01", "2027-03-31"),
    ("Tide gauge for small harbours", "engineering sales quality", "active", 620, "2026-02-02", "2027-01-29"),
    ("Calibration bench 2", "manufacturing quality engineering", "active", 480, "2026-04-13", "2026-12-18"),
    ("Salinity sensor without membrane", "research engineering", "active", 890, "2025-11-03", "2027-06-30"),
    ("Spare parts within a day", "support manufacturing", "active", 210, "2026-05-04", "2026-11-27"),
    ("New books, one ledger", "finance engineering", "active", 340, "2026-03-02", "2027-02-26"),
    ("Osaka service centre", "support sales people", "active", 560, "2026-06-01", "2027-04-30"),
    ("Firmware over the air", "engineering support", "active", 410, "2026-01-12", "2026-12-04"),
    ("Harbour fair in Rotterdam", "marketing sales", "active", 165, "2026-08-17", "2027-05-14"),
    ("Quieter assembly hall", "manufacturing people", "active", 130, "2026-07-06", "2026-11-13"),
    ("Glacier meltwater logger", "research engineering", "planned", 700, "2027-01-11", "2028-02-25"),
    ("Second shift in Porto", "manufacturing people finance", "planned", 380, "2027-02-01", "2027-09-30"),
    ("Customer portal", "engineering support marketing", "planned", 520, "2027-01-18", "2027-12-17"),
    ("ISO 17025 renewal", "quality", "planned", 95, "2026-12-07", "2027-04-16"),
    ("Apprentices' workshop", "people manufacturing", "planned", 75, "2027-03-01", "2027-08-27"),
    ("Buoy Mark III", "engineering research manufacturing quality", "done", 1_280, "2021-02-01", "2023-06-30"),
    ("Toronto office", "people sales finance", "done", 450, "2019-03-04", "2019-12-20"),
    ("Paperless test reports", "quality engineering", "done", 140, "2024-01-15", "2024-09-27"),
    ("Solar charger for loggers", "engineering manufacturing", "done", 330, "2023-05-08", "2024-11-29"),
    ("Price list without surprises", "sales finance", "done", 60, "2025-02-03", "2025-06-27"),
    ("River network of the Douro", "sales research support", "done", 270, "2024-03-11", "2025-10-31"),
    ("Handbook in five languages", "marketing support", "done", 85, "2025-01-13", "2025-12-19"),
    ("Drone that reads gauges", "research engineering", "cancelled", 600, "2022-09-05", "2024-03-29"),
    ("Own web shop", "marketing sales engineering", "cancelled", 190, "2023-10-02", "2024-06-28"),
]

GIVEN = {
    "bergen": "Aksel Anja Arne Astrid Birgit Bjarte Eirik Eline Frida Gunnar Hanne Håkon Ida Ingrid Iver Jorunn Kari Kjell Lars Liv Magnus Maren "
              "Marte Nils Odd Oda Pål Ragnhild Runa Sigrid Silje Sindre Solveig Stian Sverre Tiril Tone Torbjørn Tuva Vegard Yngve Åse Øystein Amina Dawit Leila",
    "lyon": "Adèle Alban Aurélie Basile Capucine Céline Clément Colette Damien Élodie Étienne Fanny Gaëlle Guillaume Hélène Hugo Inès Jules Karim Léa "
            "Loïc Maëlle Manon Mathilde Nadia Noé Odile Pascal Quentin Rémi Salomé Théo Yasmine Zoé",
    "porto": "Afonso Beatriz Bruno Catarina Cláudia Diogo Duarte Eduarda Filipa Francisco Gonçalo Helena Inês Joana João Leonor Luísa Mafalda Matilde "
             "Miguel Nuno Raquel Rui Sofia Tiago Vasco",
    "toronto": "Adaeze Alasdair Anika Bronwyn Callum Deepa Elspeth Farah Gordon Hana Imogen Jamal Keira Liam Mei Nikhil Owen Priya Rowan Sunita Tariq Wren",
    "osaka": "Aoi Daiki Emi Haruka Hinata Kaito Kenta Mai Nanami Ren Riku Sakura Shō Takumi Yui Yūto",
}
FAMILY = {
    "bergen": "Aasen Alvheim Bakken Bjelland Brekke Dahlgren Eikeland Engeset Fjeldstad Fosse Granli Haugland Helgesen Hovland Iversen Kvamme Lunde "
              "Moberg Myklebust Nesheim Nygård Opdal Rasmussen Rønning Sandvik Skarstein Solbakken Stølen Sæther Tangen Thorsnes Tveit Ulvestad Vik Ødegård Tesfaye",
    "lyon": "Arnaud Barbier Benali Bonnefoy Chevalier Colin Delorme Dufour Fabre Ferrand Gauthier Girard Jacquet Lacombe Lefèvre Marchand Meunier Morel "
            "Noël Pelletier Perrin Renaud Rivière Rousset Tessier Vasseur",
    "porto": "Almeida Barbosa Cardoso Carvalho Correia Esteves Figueiredo Freitas Gouveia Lourenço Magalhães Matos Moreira Neves Pacheco Pinheiro "
             "Queirós Ribeiro Sampaio Tavares Teixeira Valente",
    "toronto": "Abernathy Achebe Banerjee Campbell Chaudhry Drummond Fairbairn Grewal Haliburton Kowalchuk Leung MacInnes Nakamura Okafor Pelletier Qureshi Sinclair Whitlock",
    "osaka": "Aoyama Fujimoto Hayakawa Ishibashi Kitagawa Maruyama Morikawa Nishida Okuda Sakamoto Takeuchi Uemura Wakabayashi Yamane",
}


def plain(text):
    for letter, spelled in (("ø", "o"), ("Ø", "O"), ("æ", "ae"), ("å", "a")):
        text = text.replace(letter, spelled)
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower().replace(" ", "-")


def shares(total, parts):
    """`total` split as `parts` ask for, in whole numbers that add up."""
    exact = [total * part / sum(parts) for part in parts]
    counts = [int(x) for x in exact]
    for i in sorted(range(len(parts)), key=lambda i: exact[i] - counts[i], reverse=True)[:total - sum(counts)]:
        counts[i] += 1
    return counts


class Company:
    def __init__(self):
        self.random = random.Random(SEED)
        self.names = set()
        self.employees = []

    def name(self, office):
        while True:
            name = f"{self.random.choice(GIVEN[office].split())} {self.random.choice(FAMILY[office].split())}"
            if plain(name) not in self.names:
                self.names.add(plain(name))
                return name

    def start_date(self, level, opened):
        """Working days, more of them lately; the higher the level, the longer ago."""
        first = max(FOUNDED, datetime.date.fromisoformat(opened))
        span = (TODAY - first).days - 40
        pull = {1: 2.6, 2: 1.9, 3: 1.3, 4: 1.0, 5: 0.9, 6: 0.6, 7: 0.0}[level]
        ago = span * self.random.random() ** pull if pull else span
        day = first + datetime.timedelta(days=int(span - ago))
        return day + datetime.timedelta(days=(7 - day.weekday()) % 7 if day.weekday() > 4 else 0)

    def salary(self, base, level, office, start):
        """By level, place and years, within a tenth; to the next hundred, as contracts say it."""
        years = (TODAY - start).days / 365
        pay = base * LEVELS[level] * COST_OF_LIVING[office] * (1 + 0.012 * min(years, 10)) * self.random.gauss(1, 0.05)
        return round(pay / 100) * 100

    def hire(self, department, level, manager, office=None):
        office = office or self.random.choices([o[0] for o in OFFICES], [o[7] for o in OFFICES])[0]
        opened = next(o[5] for o in OFFICES if o[0] == office)
        name = self.name(office)
        key, _, _, _, _, titles, base = department
        start = self.start_date(level, opened)
        title = "Chief Executive" if level == 7 else DIRECTORS[key] if level == 6 else titles[level - 1]
        row = {
            "key": plain(name).replace("'", ""), "name": name, "email": f"{plain(name).replace('-', '.')}@halden.example", "title": title,
            "level": level, "salary": self.salary(base, level, office, start), "startDate": start.isoformat(),
            "active": level >= 5 or self.random.random() > 0.1, "department": key, "office": office,
        }
        if manager:
            row["manager"] = manager["key"]
        self.employees.append(row)
        return row

    def staff(self):
        chief = self.hire(DEPARTMENTS[0], 7, None, "bergen")
        sizes = shares(EMPLOYEES - 1, [d[2] for d in DEPARTMENTS])
        for department, size in zip(DEPARTMENTS, sizes):
            self.staff_department(department, size, chief)

    def staff_department(self, department, size, chief):
        head = self.hire(department, 6, chief, "bergen" if department[0] != "support" else "lyon")
        rest = size - 1
        teams = 0 if rest <= TEAM + 2 else -(-rest // TEAM)
        managers = [self.hire(department, 5, head) for _ in range(teams)] or [head]
        for number in range(rest - teams):
            level = self.random.choices((1, 2, 3, 4), (0.24, 0.38, 0.27, 0.11))[0]
            manager = managers[number % len(managers)]
            near = manager["office"] if manager is not head and self.random.random() < 0.35 else None
            self.hire(department, level, manager, near)

    def projects(self):
        rows = []
        for name, departments, status, budget, start, deadline in PROJECTS:
            crew = [e for e in self.employees if e["department"] in departments.split() and e["level"] < 6 and e["startDate"] < deadline
                    and (e["active"] or status in ("done", "cancelled"))]
            size = min(len(crew), max(3, round(budget / 75) + self.random.randrange(4)))
            members = self.random.sample(crew, size)
            lead = max(members, key=lambda e: (e["level"], e["salary"]))
            row = {"key": plain(name).replace("'", "").replace(",", ""), "name": name, "status": status, "budget": budget * 1000,
                   "start": start, "deadline": None if status == "cancelled" else deadline, "progress": self.progress(status, start, deadline),
                   "lead": lead["key"], "departments": departments.split(), "members": sorted(e["key"] for e in members)}
            rows.append(row)
        return rows

    def progress(self, status, start, deadline):
        if status == "done":
            return 1
        if status == "planned":
            return 0
        first, last = datetime.date.fromisoformat(start), datetime.date.fromisoformat(deadline)
        gone = min(0.95, max(0.05, (TODAY - first) / (last - first)))
        return round(min(0.95, gone * self.random.uniform(0.75, 1.08)), 2) if status == "active" else round(self.random.uniform(0.3, 0.7), 2)


def write(name, rows):
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (HERE / f"{name}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(f"{name:12} {len(rows):4}")


def main():
    company = Company()
    company.staff()
    projects = company.projects()
    heads = {e["department"]: e["key"] for e in company.employees if e["level"] == 6}
    write("departments", [{"key": key, "name": name, "budget": budget * 1000, "floor": floor, "head": heads[key]}
                          for key, name, _, budget, floor, _, _ in DEPARTMENTS])
    write("employees", sorted(company.employees, key=lambda e: (e["startDate"], e["key"])))
    write("projects", projects)
    write("offices", [{"key": key, "name": name, "city": city, "country": country, "address": address, "opened": opened, "seats": seats}
                      for key, name, city, country, address, opened, seats, _ in OFFICES])


if __name__ == "__main__":
    main()
