// floor PORT PREFIX [CHIP LINE]: the least that a node can be, to measure timer-node against.
//
// One poll loop on the same two libraries. `PREFIX/command/pause` puts the line out and publishes `paused` on
// `PREFIX/mode`, any other command puts it on and publishes `countdown`: QoS 1 and retained, with the options that the
// node sets on its socket. There is no state, no check and no second message.
#include "CGPIOD.h"
#include "mqtt.h"

static cgpiod_outputs *lamp;
static unsigned int line;

static void hold(const char *path) {
    cgpiod_chip *chip;
    if (cgpiod_chip_open(path, &chip) < 0) fail("no chip", path);
    const cgpiod_output output = {.offset = line};
    if (cgpiod_outputs_request(chip, "floor", &output, 1, &lamp) < 0) fail("no line on", path);
}

static enum { NOTHING, PAUSE, RUN } command;

// Publishing in a callback would only queue.
static void note(struct mosquitto *client, void *owner, const struct mosquitto_message *message) {
    (void)client, (void)owner;
    command = strstr(message->topic, "/command/pause") ? PAUSE : RUN;
}

int main(int count, char **arguments) {
    if (count != 3 && count != 5) fail("usage:", "floor PORT PREFIX [CHIP LINE]");
    char filter[256], mode[256];
    snprintf(filter, sizeof filter, "%s/command/+", arguments[2]);
    snprintf(mode, sizeof mode, "%s/mode", arguments[2]);
    if (count == 5) {
        line = (unsigned int)atoi(arguments[4]);
        hold(arguments[3]);
    }

    struct mosquitto *client = connect_to(atoi(arguments[1]), note);
    check(mosquitto_subscribe(client, NULL, filter, 1), "subscribe");
    check(mosquitto_publish(client, NULL, mode, 7, "stopped", 1, true), "publish");
    while (true) {
        serve(client, -1);
        if (command == NOTHING) continue;
        const bool level = command == RUN;
        if (lamp) cgpiod_outputs_set(lamp, &line, &level, 1);
        const char *text = level ? "countdown" : "paused";
        check(mosquitto_publish(client, NULL, mode, (int)strlen(text), text, 1, true), "publish");
        command = NOTHING;
    }
}
