"""requirements.py PACKAGE: lists the libraries that an installed Home Assistant needs for MQTT, besides its dependencies.

Home Assistant normally installs the libraries of an integration when it first loads it. Here they are all installed in
advance: for the integrations that it always loads, for MQTT, and for all their dependencies.
"""
import json
import pathlib
import re
import sys

LEFT_OUT = {"analytics", "marketplace"}  # launch.py does not load them.


def words(text):
    return set(re.findall(r'"(\w+)"', text))


def always_loaded(package):
    """Yields the integrations that bootstrap.py loads; newer releases also load every entity platform."""
    source = (package / "bootstrap.py").read_text()
    yield from words(re.search(r"^DEFAULT_INTEGRATIONS = {(.*?)^}", source, re.DOTALL | re.MULTILINE)[1])
    kinds = package / "generated/entity_platforms.py"
    if kinds.exists():
        yield from words(kinds.read_text())


def main(package):
    integrations = package / "components"
    wanted = {"mqtt", "api", "config", "onboarding", "recorder", *always_loaded(package)} - LEFT_OUT
    wanted |= {file.stem for file in (integrations / "mqtt").glob("*.py")}  # An entity platform is an integration too.
    seen, libraries = set(), set()
    while wanted:
        name = wanted.pop()
        manifest = integrations / name / "manifest.json"
        if name in seen or not manifest.exists():
            continue
        seen.add(name)
        facts = json.loads(manifest.read_text())
        libraries.update(facts.get("requirements", []))
        wanted.update(facts.get("dependencies", []))
        if name == "mqtt":  # The dialogue that adds a broker imports these.
            wanted.update(facts.get("after_dependencies", []))
    print(*sorted(libraries), sep="\n")


main(pathlib.Path(sys.argv[1]))
