"""check_payload.py: validates messages of discovery with Home Assistant's own schemas, without starting it.

Reads lines `TOPIC PAYLOAD` from the standard input, as `mosquitto_sub -v -t 'homeassistant/#'` prints them, and says of
each component whether Home Assistant takes it, and which keys it would drop without a word. Exits with 1 if it would
refuse or drop any. Runs with the Python of a Home Assistant. `findings` is for tests.
"""
import asyncio
import importlib
import json
import sys
import tempfile

import homeassistant.components.mqtt  # noqa: F401  The modules below cannot be imported before it.
from homeassistant.components.mqtt import discovery, schemas
from homeassistant.core import HomeAssistant

# What older Home Assistants do not know, by the release that knows it; the node sends it to all. Without the first they make
# the entity id of names, without the second their commands do not expire.
NEWER_KEYS = {"default_entity_id": (2025, 10), "message_expiry_interval": (2026, 6)}


def _component(platform, config, ignored):
    """What is wrong with the configuration of one component."""
    payload = discovery.MQTTDiscoveryPayload(config)
    if discovery.TOPIC_BASE in payload:
        discovery._replace_topic_base(payload)
    schema = importlib.import_module(f"homeassistant.components.mqtt.{platform}").DISCOVERY_SCHEMA
    try:
        taken = schema(dict(payload))
    except Exception as error:  # Each release has another class of them.
        yield f"refused: {error}"
        return
    if dropped := set(config) - set(taken) - set(schemas.SHARED_OPTIONS) - ignored:
        yield f"dropped without a word: {', '.join(sorted(dropped))}"
    if "unique_id" not in config:
        yield "there is no unique_id: it would belong to no device"


def _device(payload, ignored):
    try:
        schemas.DEVICE_DISCOVERY_SCHEMA(payload)
    except Exception as error:
        yield "", f"the whole payload is refused: {error}"
        return
    for key, config in payload["components"].items():
        config = dict(config)
        platform = config.pop("platform")
        if not config:  # It is to be removed.
            continue
        whole = discovery.MQTTDiscoveryPayload(config | {"device": payload["device"], "origin": payload["origin"]})
        discovery._merge_common_device_options(whole, payload)
        for finding in _component(platform, whole, ignored):
            yield key, finding


def findings(topic, text, ignored=frozenset()):
    """What Home Assistant would find wrong with a message: pairs of the component's key and the finding.

    `ignored` are keys that may be dropped.
    """
    async def find():
        HomeAssistant(tempfile.gettempdir())  # Templates are looked into only where there is one.
        payload = discovery.MQTTDiscoveryPayload(json.loads(text))
        discovery._replace_all_abbreviations(payload)
        platform, *_, key, _ = topic.split("/")[1:]
        if payload.get("migrate_discovery"):
            return []
        if platform == "device":
            return list(_device(payload, ignored))
        return [(key, finding) for finding in _component(platform, payload, ignored)]
    return asyncio.run(find()) if text else []


def main():
    found = False
    for line in sys.stdin:
        topic, _, text = line.rstrip("\n").partition(" ")
        if topic.endswith("/config"):
            results = findings(topic, text)
            print(topic, *(f"    {key}: {finding}" for key, finding in results) if results else ["    ok"], sep="\n")
            found |= bool(results)
    sys.exit(found)


if __name__ == "__main__":
    main()
