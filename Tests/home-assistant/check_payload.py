"""check_payload.py: validates discovery messages with Home Assistant's own schemas, without starting it.

Reads lines `TOPIC PAYLOAD` from standard input, as `mosquitto_sub -v -t 'homeassistant/#'` prints them, and reports for
each component whether Home Assistant accepts it, and which keys it would silently drop. Exits with 1 if it would refuse
or drop any. Runs with the Python of a Home Assistant. `findings` is for tests.
"""
import asyncio
import importlib
import json
import sys
import tempfile

import homeassistant.components.mqtt  # noqa: F401  The modules below cannot be imported before it.
from homeassistant.components.mqtt import discovery, schemas
from homeassistant.core import HomeAssistant

# Keys that older Home Assistant releases do not know, with the release that introduced them. The node always sends
# them. Without the first, the entity id is derived from names; without the second, commands do not expire.
NEWER_KEYS = {"default_entity_id": (2025, 10), "message_expiry_interval": (2026, 6)}


def _component(platform, config, ignored):
    """Yields the problems with the configuration of one component."""
    payload = discovery.MQTTDiscoveryPayload(config)
    if discovery.TOPIC_BASE in payload:
        discovery._replace_topic_base(payload)
    schema = importlib.import_module(f"homeassistant.components.mqtt.{platform}").DISCOVERY_SCHEMA
    try:
        taken = schema(dict(payload))
    except Exception as error:  # The class of these errors depends on the release.
        yield f"refused: {error}"
        return
    if dropped := set(config) - set(taken) - set(schemas.SHARED_OPTIONS) - ignored:
        yield f"silently dropped: {', '.join(sorted(dropped))}"
    if "unique_id" not in config:
        yield "no unique_id: the entity would not belong to a device"


def _device(payload, ignored):
    try:
        schemas.DEVICE_DISCOVERY_SCHEMA(payload)
    except Exception as error:
        yield "", f"the whole payload is refused: {error}"
        return
    for key, config in payload["components"].items():
        config = dict(config)
        platform = config.pop("platform")
        if not config:  # An empty configuration removes the component.
            continue
        whole = discovery.MQTTDiscoveryPayload(config | {"device": payload["device"], "origin": payload["origin"]})
        discovery._merge_common_device_options(whole, payload)
        for finding in _component(platform, whole, ignored):
            yield key, finding


def findings(topic, text, ignored=frozenset()):
    """Returns the problems that Home Assistant would have with a message: pairs of component key and finding.

    `ignored` are keys that may be dropped.
    """
    async def find():
        HomeAssistant(tempfile.gettempdir())  # Templates are checked only if an instance exists.
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
