"""Starts Home Assistant as `hass` does, without the two integrations that talk with the internet by themselves.

`analytics` opens sockets for multicast on every interface, and `marketplace` asks a server. Both are always loaded.
"""
import sys

from homeassistant import bootstrap
from homeassistant.__main__ import main

bootstrap.DEFAULT_INTEGRATIONS = type(bootstrap.DEFAULT_INTEGRATIONS)(
    name for name in bootstrap.DEFAULT_INTEGRATIONS if name not in ("analytics", "marketplace"))
sys.exit(main())
