// Code shared by the benchmark programs: a connection that uses libmosquitto's external loop, as the node does.
#include <mosquitto.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static void fail(const char *what, const char *detail) {
    fprintf(stderr, "%s %s\n", what, detail);
    exit(1);
}

static void check(int code, const char *what) {
    if (code != MOSQ_ERR_SUCCESS) fail(what, mosquitto_strerror(code));
}

typedef void on_message(struct mosquitto *client, void *owner, const struct mosquitto_message *message);

// Waits for at most this number of milliseconds, -1 for no limit, and then reads and writes what is pending. Returns
// whether another descriptor is readable; -1 for none.
static bool serve(struct mosquitto *client, int milliseconds, int other) {
    const int on = 1;
    struct pollfd descriptors[] = {{.fd = mosquitto_socket(client), .events = POLLIN}, {.fd = other, .events = POLLIN}};
    if (mosquitto_want_write(client)) descriptors[0].events |= POLLOUT;
    if (poll(descriptors, 2, milliseconds) <= 0) return false;
    if (descriptors[0].revents & POLLOUT) check(mosquitto_loop_write(client, 1), "write");
    if (descriptors[0].revents & ~POLLOUT) {
        check(mosquitto_loop_read(client, 1), "read");
        // A broker without TCP_NODELAY holds back its next packet until the last one is acknowledged.
        setsockopt(descriptors[0].fd, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
    }
    return descriptors[1].revents;
}

static int refused = -1;
static void accepted(struct mosquitto *client, void *owner, int code) {
    (void)client, (void)owner;
    refused = code;
}

static struct mosquitto *connect_to(int port, on_message *take) {
    mosquitto_lib_init();
    struct mosquitto *client = mosquitto_new(NULL, true, NULL);
    if (!client) fail("no", "memory");
    mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_connect_callback_set(client, accepted);
    mosquitto_message_callback_set(client, take);
    // So long that no keep-alive packet is sent during a benchmark.
    check(mosquitto_connect(client, "127.0.0.1", port, 3600), "connect");
    while (refused < 0) serve(client, -1, -1);
    check(refused, "CONNACK");
    return client;
}
