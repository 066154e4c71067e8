"""The page strings: each language has all of them, and each string that a page requests exists."""
import re

import pytest

from server import WWW

ENTRY = re.compile(r"^  '([\w.-]+)':\s*((?:'(?:[^'\\]|\\.)*'(?:\s*\+\s*)?)+),$", re.MULTILINE)


def texts(language):
    """The strings in a language by their keys."""
    source = (WWW / "assets" / "texts" / f"{language}.js").read_text()
    found = ENTRY.findall(source)
    assert len(found) == len(re.findall(r"^  '", source, re.MULTILINE)), "each line with a text has the usual form"
    keys = [key for key, _ in found]
    assert len(set(keys)) == len(keys), "no key occurs twice"
    return {key: "".join(re.findall(r"'((?:[^'\\]|\\.)*)'", text)).replace("\\'", "'") for key, text in found}


def languages():
    return sorted(path.stem for path in (WWW / "assets" / "texts").glob("*.js"))


def sources():
    # The plain display has texts of its own, which test_plain.py compares.
    return [path for path in WWW.rglob("*")
            if path.suffix in (".js", ".html") and path.parent.name != "texts" and path.name != "plain.js"]


def used_keys():
    """The keys that pages name literally; composed keys are not among them."""
    keys = set()
    for path in sources():
        text = path.read_text()
        keys |= set(re.findall(r"\bt\('([\w.-]+)'", text)) | set(re.findall(r'data-(?:text|label)="([\w.-]+)"', text))
    return keys


def test_there_are_two_languages():
    assert languages() == ["de", "en"]


def test_languages_have_the_same_keys():
    assert texts("de").keys() == texts("en").keys()


@pytest.mark.parametrize("language", ["de", "en"])
def test_each_text_that_a_page_names_is_there(language):
    assert used_keys() and used_keys() - texts(language).keys() == set()


@pytest.mark.parametrize("language", ["de", "en"])
def test_no_text_is_empty_or_has_a_space_at_its_ends(language):
    assert {key: text for key, text in texts(language).items() if not text or text != text.strip()} == {}


def test_texts_have_the_same_values_in_both_languages():
    german = texts("de")
    values = re.compile(r"\{\w+\}")
    assert {key: german[key] for key, text in texts("en").items()
            if set(values.findall(text)) != set(values.findall(german.get(key, "")))} == {}


def composed_keys():
    """Patterns of the keys that pages compose: t(`edit.${key}`)."""
    source = "\n".join(path.read_text() for path in sources())
    templates = re.findall(r"`((?:[\w.-]|\$\{[^}`]*\})+)`", source)
    return [re.compile(re.sub(r"\\\$\\\{.*?\\\}", r"[\\w.-]+", re.escape(template)))
            for template in templates if re.match(r"[a-z]+\.", template)]


def test_each_text_is_used():
    source = "\n".join(path.read_text() for path in sources())
    unused = [key for key in texts("en") if key not in used_keys() and f"'{key}'" not in source
              and not any(pattern.fullmatch(key) for pattern in composed_keys())]
    assert unused == []
