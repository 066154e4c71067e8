// floor PORT PREFIX [CHIP LINE BUTTON]: a minimal node, the baseline for measurements of timer-node.
//
// A poll loop on the same two libraries. `PREFIX/command/pause` turns the line off and publishes `paused` on
// `PREFIX/mode`. Any other command turns it on and publishes `countdown`. The button alternates between both. The
// messages are retained and sent with QoS 1, with the socket options that the node uses. There is no state, no
// validation and no second message.
#include "CGPIOD.h"
#include "mqtt.h"

static cgpiod_outputs *lamp;
static cgpiod_inputs *button;
static unsigned int line;
static int edges = -1;

static void hold(const char *path, unsigned int button_line) {
    cgpiod_chip *chip;
    if (cgpiod_chip_open(path, &chip) < 0) fail("no chip", path);
    const cgpiod_output output = {.offset = line};
    if (cgpiod_outputs_request(chip, "floor", &output, 1, &lamp) < 0) fail("no line on", path);
    const cgpiod_input input = {.offset = button_line};
    if (cgpiod_inputs_request(chip, "floor", &input, 1, &button) < 0) fail("no button on", path);
    cgpiod_inputs_get_descriptors(button, &edges);
}

static enum { NOTHING, PAUSE, RUN } command, last = PAUSE;

// The main loop publishes: in a callback, the message would only be queued.
static void note(struct mosquitto *client, void *owner, const struct mosquitto_message *message) {
    (void)client, (void)owner;
    command = strstr(message->topic, "/command/pause") ? PAUSE : RUN;
}

static void press(void) {
    cgpiod_edge edge;
    if (cgpiod_inputs_read(button, edges, &edge, 1) == 1 && edge.is_active) command = last == RUN ? PAUSE : RUN;
}

int main(int count, char **arguments) {
    if (count != 3 && count != 6) fail("usage:", "floor PORT PREFIX [CHIP LINE BUTTON]");
    char filter[256], mode[256];
    snprintf(filter, sizeof filter, "%s/command/+", arguments[2]);
    snprintf(mode, sizeof mode, "%s/mode", arguments[2]);
    if (count == 6) {
        line = (unsigned int)atoi(arguments[4]);
        hold(arguments[3], (unsigned int)atoi(arguments[5]));
    }

    struct mosquitto *client = connect_to(atoi(arguments[1]), note);
    check(mosquitto_subscribe(client, NULL, filter, 1), "subscribe");
    check(mosquitto_publish(client, NULL, mode, 7, "stopped", 1, true), "publish");
    while (true) {
        if (serve(client, -1, edges)) press();
        if (command == NOTHING) continue;
        const bool level = command == RUN;
        if (lamp) cgpiod_outputs_set(lamp, &line, &level, 1);
        const char *text = level ? "countdown" : "paused";
        check(mosquitto_publish(client, NULL, mode, (int)strlen(text), text, 1, true), "publish");
        last = command;
        command = NOTHING;
    }
}
