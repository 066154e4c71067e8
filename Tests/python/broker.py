"""The broker, and a client that receives everything on it."""
import collections
import json
import os
import pathlib
import shutil
import signal
import socket
import threading
import uuid

import paho.mqtt.client as paho

from processes import Process, free_port, wait_until

# expiry: the rest of its Message Expiry Interval, in seconds; None if it has none.
Message = collections.namedtuple("Message", "topic payload retained expiry")


class Broker:
    """A mosquitto without persistence."""

    def __init__(self, folder, settings=""):
        self.port = free_port()
        self._folder = pathlib.Path(folder)
        self._folder.mkdir()
        # Otherwise mosquitto, started as root, would switch to another user, which fails in a user namespace.
        (self._folder / "mosquitto.conf").write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\nmax_queued_messages 0\n"
            "set_tcp_nodelay true\n"  # As in config/mosquitto.
            f"user root\n{settings}\n")
        self.start()

    @property
    def process(self):
        return self._process

    def start(self):
        program = shutil.which("mosquitto", path=os.environ["PATH"] + ":/usr/sbin")
        self._process = Process(program, "-c", self._folder / "mosquitto.conf", log=self._folder / "mosquitto.log")

    def stop(self):
        self._process.stop()

    def kill(self):
        """Kills the broker, so that it does not publish the wills of its clients."""
        self._process.stop(signal.SIGKILL)


class MQTT:
    """A client that receives all messages on the broker, or those on some topics. It reconnects automatically."""

    def __init__(self, port, topics=("#",), username=None, password=None):
        self._messages, self._lock, self._connected = [], threading.Lock(), threading.Event()
        version = [paho.CallbackAPIVersion.VERSION2] if hasattr(paho, "CallbackAPIVersion") else []
        self._client = paho.Client(*version, client_id=f"test-{uuid.uuid4()}", protocol=paho.MQTTv5)
        self._client.username_pw_set(username, password)
        self._client.on_connect = lambda *_: self._client.subscribe([(topic, 1) for topic in topics])
        self._client.on_subscribe = lambda *_: self._connected.set()
        self._client.on_disconnect = lambda *_: self._connected.clear()
        self._client.on_message = self._received
        # A command must not wait until earlier packets are acknowledged.
        self._client.on_socket_open = lambda _client, _data, opened: opened.setsockopt(
            socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._client.reconnect_delay_set(1, 1)
        self._client.connect_async("127.0.0.1", port)
        self._client.loop_start()
        self.wait_until_connected()

    def wait_until_connected(self):
        wait_until(self._connected.is_set, "the test has connected to the broker")

    def close(self):
        self._client.disconnect()
        self._client.loop_stop()

    def _received(self, client, userdata, message):
        with self._lock:
            expiry = getattr(message.properties, "MessageExpiryInterval", None)
            self._messages.append(Message(message.topic, message.payload.decode(), bool(message.retain), expiry))

    def publish(self, topic, payload="", retain=False):
        text = payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False)
        self._client.publish(topic, text, qos=1, retain=retain).wait_for_publish(30)

    def position(self):
        """Returns the current position in the received messages, for `messages`."""
        with self._lock:
            return len(self._messages)

    def messages(self, topic=None, since=0):
        """Returns the messages received on a topic, or all of them. The topic may end in /#."""
        with self._lock:
            found = self._messages[since:]
        if topic is None:
            return found
        if topic.endswith("/#"):
            return [message for message in found if message.topic.startswith(topic[:-1])]
        return [message for message in found if message.topic == topic]

    def retained(self, topic):
        """Returns the latest payload on a retained topic, as text; None if there is none or it was cleared."""
        found = self.messages(topic)
        return found[-1].payload or None if found else None
