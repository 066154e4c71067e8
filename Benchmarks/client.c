// client PORT ROUNDS { NAME ANSWER COMMAND PAYLOAD VALUE COMMAND PAYLOAD VALUE }…: measures the response times of
// nodes.
//
// Each node has a name, the topic on which it responds, and two alternating commands, each with a topic, a payload and
// the value of the expected response. The nodes also take turns, so that other load on the machine affects all of them
// equally. Prints a line for each command: the name, and the microseconds from publishing the command until the
// response arrives.
#include <time.h>

#include "mqtt.h"

typedef struct {
    const char *topic, *payload, *value;
} command;

typedef struct {
    const char *name, *answer;
    command commands[2];
} node;

enum { FIELDS = 8, PATIENCE = 30 };

static const char *awaited_topic, *awaited_value;
static double arrived;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static void take(struct mosquitto *client, void *owner, const struct mosquitto_message *message) {
    (void)client, (void)owner;
    if (!awaited_topic || strcmp(message->topic, awaited_topic) != 0) return;
    if ((size_t)message->payloadlen != strlen(awaited_value)) return;
    if (memcmp(message->payload, awaited_value, message->payloadlen) == 0) arrived = now();
}

static double ask(struct mosquitto *client, const node *node, const command *command) {
    awaited_topic = node->answer, awaited_value = command->value, arrived = 0;
    const double sent = now();
    check(mosquitto_publish(client, NULL, command->topic, (int)strlen(command->payload), command->payload, 0, false),
          "publish");
    while (!arrived) {
        serve(client, 1000);
        if (now() - sent > PATIENCE) fail("no response from", node->name);
    }
    awaited_topic = NULL;
    return (arrived - sent) * 1e6;
}

// Long enough for a node to finish its work on a command, and short enough for a delayed acknowledgement to matter.
static void pause_between(struct mosquitto *client) {
    const double end = now() + 0.002 + 0.002 * drand48();
    struct timespec rest = {.tv_nsec = 0};
    serve(client, 0);
    const double left = end - now();
    if (left <= 0) return;
    rest.tv_nsec = (long)(left * 1e9);
    nanosleep(&rest, NULL);
}

int main(int count, char **arguments) {
    if (count < 3 + FIELDS || (count - 3) % FIELDS != 0) fail("usage:", "see client.c");
    const int rounds = atoi(arguments[2]), nodes = (count - 3) / FIELDS;
    struct mosquitto *client = connect_to(atoi(arguments[1]), take);
    for (int i = 0; i < nodes; i++) check(mosquitto_subscribe(client, NULL, arguments[4 + i * FIELDS], 0), "subscribe");
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < nodes; i++) {
            char **fields = arguments + 3 + i * FIELDS;
            const node node = {
                fields[0], fields[1], {{fields[2], fields[3], fields[4]}, {fields[5], fields[6], fields[7]}}};
            printf("%s %.1f\n", node.name, ask(client, &node, &node.commands[round % 2]));
            pause_between(client);
        }
    }
    return 0;
}
