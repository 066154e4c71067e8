// client PORT ROUNDS PAUSE { NAME ANSWER CLOCK COMMAND PAYLOAD VALUE COMMAND PAYLOAD VALUE }…: measures the response
// times of nodes.
//
// Each node has a name, the topic on which it responds, the file of its gpio_clock or `-`, and two alternating
// commands, each with a topic, a payload and the value of the expected response. A command that begins with `/` is a
// button: the file to which the client writes `pull-up`, and `pull-down` after the response. The nodes also take turns,
// so that other load on the machine affects all of them equally. After each response the client pauses for PAUSE to
// twice as many milliseconds. Prints a line for each command: the name, and the microseconds from the command until the
// response arrives, or, for a node with a clock, until its line is set.
#include "gpiod-clock.h"
#include "mqtt.h"

typedef struct {
    const char *topic, *payload, *value;
} command;

typedef struct {
    const char *name, *answer;
    const gpio_clock *clock;
    command commands[2];
} node;

enum { FIRST = 4, FIELDS = 9, PATIENCE = 30 };

static const char *awaited_topic, *awaited_value;
static double arrived;

static double now(void) { return clock_now() * 1e-9; }

static void take(struct mosquitto *client, void *owner, const struct mosquitto_message *message) {
    (void)client, (void)owner;
    if (!awaited_topic || strcmp(message->topic, awaited_topic) != 0) return;
    if ((size_t)message->payloadlen != strlen(awaited_value)) return;
    if (memcmp(message->payload, awaited_value, message->payloadlen) == 0) arrived = now();
}

static void pull(const char *path, const char *text) {
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0 || write(file, text, strlen(text)) < 0) fail("cannot write to", path);
    close(file);
}

static double ask(struct mosquitto *client, const node *node, const command *command) {
    awaited_topic = node->answer, awaited_value = command->value, arrived = 0;
    const bool is_button = command->topic[0] == '/';
    const double sent = now();
    if (is_button) {
        pull(command->topic, "pull-up");
    } else {
        check(mosquitto_publish(
                  client, NULL, command->topic, (int)strlen(command->payload), command->payload, 0, false),
              "publish");
    }
    while (!arrived) {
        serve(client, 1000, -1);
        if (now() - sent > PATIENCE) fail("no response from", node->name);
    }
    awaited_topic = NULL;
    double begin = sent, end = arrived;
    if (node->clock) {
        end = node->clock->set_at * 1e-9;
        // The kernel's simulator reports an edge later than the pull, and with its time.
        if (is_button && node->clock->edge_at) begin = node->clock->edge_at * 1e-9;
        if (end < begin) fail("no line was set by", node->name);
    }
    if (is_button) pull(command->topic, "pull-down");
    return (end - begin) * 1e6;
}

static void pause_between(struct mosquitto *client, double seconds) {
    const double end = now() + seconds * (1 + drand48());
    serve(client, 0, -1);
    const double left = end - now();
    if (left <= 0) return;
    const struct timespec rest = {.tv_nsec = (long)(left * 1e9)};
    nanosleep(&rest, NULL);
}

int main(int count, char **arguments) {
    if (count < FIRST + FIELDS || (count - FIRST) % FIELDS != 0) fail("usage:", "see client.c");
    const int rounds = atoi(arguments[2]), nodes = (count - FIRST) / FIELDS;
    const double seconds = atof(arguments[3]) / 1000;
    struct mosquitto *client = connect_to(atoi(arguments[1]), take);
    const gpio_clock *clocks[nodes];
    for (int i = 0; i < nodes; i++) {
        char **fields = arguments + FIRST + i * FIELDS;
        check(mosquitto_subscribe(client, NULL, fields[1], 0), "subscribe");
        clocks[i] = strcmp(fields[2], "-") == 0 ? NULL : map_clock(fields[2]);
    }
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < nodes; i++) {
            char **fields = arguments + FIRST + i * FIELDS;
            const node node = {
                fields[0], fields[1], clocks[i],
                {{fields[3], fields[4], fields[5]}, {fields[6], fields[7], fields[8]}}};
            printf("%s %.1f\n", node.name, ask(client, &node, &node.commands[round % 2]));
            pause_between(client, seconds);
        }
    }
    return 0;
}
