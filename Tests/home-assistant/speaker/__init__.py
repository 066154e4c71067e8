"""A loudspeaker in Home Assistant, for tests: it says nothing, but the state of speaker.hall is what it was told to say.

A real one asks a service on the internet for the voice.
"""


async def async_setup(hass, config):
    def speak(call):
        hass.states.set("speaker.hall", call.data["message"], {"call": dict(call.data)}, force_update=True)

    hass.services.async_register("tts", "speak", speak)
    return True
