"""Many viewers of a timer-web, in one process: streams of events, and when each received something."""
import errno
import select
import socket
import time


class Viewers:
    """Opens streams. A server counts streams by address, so there are 20 for each of 127.0.0.1, 127.0.0.2, …"""

    PER_ADDRESS = 20

    def __init__(self, port, count, path="api/events"):
        self._poll = select.epoll()
        self._sockets, self._buffers = {}, {}
        for number in range(count):
            stream = socket.socket()
            stream.bind((f"127.0.{1 + number // self.PER_ADDRESS // 200}.{2 + number // self.PER_ADDRESS % 200}", 0))
            stream.connect(("127.0.0.1", port))
            stream.sendall(f"GET /{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\n\r\n".encode())
            stream.setblocking(False)
            self._sockets[stream.fileno()] = stream
            self._buffers[stream.fileno()] = b""
            self._poll.register(stream, select.EPOLLIN)

    def __len__(self):
        return len(self._sockets)

    def wait_for(self, marker, patience=180):
        """When each stream first received a string from now on, by `time.monotonic`; fewer if some did not."""
        arrived, end, marker = {}, time.monotonic() + patience, marker.encode()
        while len(arrived) < len(self._sockets) and (left := end - time.monotonic()) > 0:
            for number, _ in self._poll.poll(left):
                data = self._read(number)
                # A string that arrives in two pieces is also found.
                self._buffers[number] = (self._buffers[number] + data)[-len(marker) - len(data):]
                if marker in self._buffers[number] and number not in arrived:
                    arrived[number] = time.monotonic()
        return list(arrived.values())

    def _read(self, number):
        try:
            data = self._sockets[number].recv(1 << 20)
        except OSError as error:
            if error.errno == errno.EAGAIN:
                return b""
            raise
        if not data:
            raise AssertionError("the server closed a stream")
        return data

    def close(self):
        for stream in self._sockets.values():
            stream.close()
