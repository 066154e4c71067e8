#include <mosquitto.h>
#include <mqtt_protocol.h>
// libmosquitto gives access to its TLS connection, which reports why a certificate was rejected.
#include <openssl/ssl.h>
