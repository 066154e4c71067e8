"""A fake loudspeaker in Home Assistant: it makes no sound, but sets the state of speaker.hall to the text to speak.

A real one uses a speech service on the internet.
"""


async def async_setup(hass, config):
    def speak(call):
        hass.states.set("speaker.hall", call.data["message"], {"call": dict(call.data)}, force_update=True)

    hass.services.async_register("tts", "speak", speak)
    return True
