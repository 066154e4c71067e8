#include <mosquitto.h>
#include <mqtt_protocol.h>
// libmosquitto lends its TLS connection, which knows what was wrong with a certificate.
#include <openssl/ssl.h>
