"""500 viewers: a change reaches all of them quickly, the server stays small, and the node is not affected."""
import os
import pathlib
import re
import statistics
import time
import uuid

import pytest

from viewers import Viewers

pytestmark = pytest.mark.alone

COUNT = 500


def resident_megabytes(process):
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(part * (len(ordered) - 1)))]


def response_times(node, bench, count=100):
    """How long the node takes from a command to its mode, in ms, at ten commands a second."""
    times = []
    for _ in range(count):
        time.sleep(0.1)
        since, begin = bench.mqtt.position(), time.perf_counter()
        bench.mqtt.publish(node.topic("command/toggle"))
        while not bench.mqtt.messages(node.topic("mode"), since):
            assert time.perf_counter() - begin < 30, "no mode was published within 30 s"
            time.sleep(0.0002)
        times.append((time.perf_counter() - begin) * 1000)
    return times


def test_500_viewers(bench, web):
    node = bench.start_node(mqtt={"command_rate": 0})
    alone = response_times(node, bench)
    viewers = Viewers(web.port, COUNT)
    assert len(viewers.wait_for("event: snapshot")) == COUNT
    ways = []
    for _ in range(20):
        text = uuid.uuid4().hex
        begin = time.monotonic()
        bench.mqtt.publish(node.topic("command/message"), text)
        arrived = viewers.wait_for(text)
        assert len(arrived) == COUNT
        ways += [(instant - begin) * 1000 for instant in arrived]
    watched = response_times(node, bench)
    size = resident_megabytes(web.process_id)
    viewers.close()
    print(f"\na change at {COUNT} viewers: median {statistics.median(ways):.1f} ms, p99 {percentile(ways, .99):.1f} ms; "
          f"{size:.1f} MB resident; command to mode: alone p50 {percentile(alone, .5):.2f} p99 {percentile(alone, .99):.2f}"
          f" ms, watched p50 {percentile(watched, .5):.2f} p99 {percentile(watched, .99):.2f} ms")
    # The targets are 150 ms and 64 MB; a busy machine takes longer, and a debug build needs more.
    if os.environ.get("TIMING") == "strict":
        assert percentile(ways, .99) < 150
    assert size < 96
