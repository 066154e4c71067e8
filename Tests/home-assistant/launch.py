"""Starts Home Assistant as `hass` does, but without the two integrations that access the network on their own.

`analytics` opens multicast sockets on every interface, and `marketplace` contacts a server. Normally both are always
loaded.
"""
import sys

from homeassistant import bootstrap
from homeassistant.__main__ import main

bootstrap.DEFAULT_INTEGRATIONS = type(bootstrap.DEFAULT_INTEGRATIONS)(
    name for name in bootstrap.DEFAULT_INTEGRATIONS if name not in ("analytics", "marketplace"))
sys.exit(main())
