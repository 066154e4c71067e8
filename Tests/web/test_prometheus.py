"""The metrics in a real Prometheus, with the job and the dashboard in config/monitoring."""
import json
import pathlib
import re
import urllib.parse
import urllib.request

import pytest

from processes import Process, free_port, wait_until

MONITORING = pathlib.Path(__file__).parents[2] / "config" / "monitoring"
DASHBOARD = json.loads((MONITORING / "grafana-dashboard.json").read_text())
QUERIES = {panel["title"]: panel["targets"][0]["expr"] for panel in DASHBOARD["panels"]}


class Prometheus:
    def __init__(self, folder, job):
        self._port = free_port()
        folder.mkdir()
        file = folder / "prometheus.yml"
        file.write_text(job)
        self._process = Process(
            "prometheus", f"--config.file={file}", f"--storage.tsdb.path={folder}/data",
            f"--web.listen-address=127.0.0.1:{self._port}", log=folder / "prometheus.log")

    def values(self, query):
        """The value of each series, by its labels."""
        address = f"http://127.0.0.1:{self._port}/api/v1/query?" + urllib.parse.urlencode({"query": query})
        with urllib.request.urlopen(address, timeout=30) as answer:
            found = json.load(answer)
        assert found["status"] == "success"
        return [(series["metric"], float(series["value"][1])) for series in found["data"]["result"]]

    def has(self, query, values):
        try:
            return sorted(value for _, value in self.values(query)) == sorted(values)
        except OSError:
            return False

    def stop(self):
        self._process.stop()


@pytest.mark.browser  # Not for its browser: `make test` installs no Prometheus.
@pytest.mark.parametrize("has_token", [False, True])
def test_every_query_of_the_dashboard(bench, web, has_token):
    node, other = bench.start_node("lectern"), bench.start_node("side")
    job = (MONITORING / "prometheus.yml").read_text()
    job = job.replace("127.0.0.1:8080", f"127.0.0.1:{web.port}").replace("10s", "1s")
    if has_token:
        token = web.run("tokens", "add", "prometheus", "--node", "lectern").split()[-1]
        job = re.sub(r"# (authorization: .*)tw_…", rf"\1{token}", job)
    prometheus = Prometheus(bench.folder / "prometheus", job)
    try:
        nodes = 1 if has_token else 2
        wait_until(lambda: prometheus.has(QUERIES["Nodes"].replace("$node", ".*"), [1] * nodes), "the nodes are online")
        assert node.command("start")["status"] == "ok"
        countdown = 'timer_node_mode{node="lectern",mode="countdown"}'
        wait_until(lambda: prometheus.has(countdown, [1]), "the node counts down")
        for title, query in QUERIES.items():
            query = query.replace("$node", "lectern")
            wait_until(lambda: len(prometheus.values(query)) == 1, f"{title}: {query} has a value")
        (_, left), = prometheus.values('timer_node_remaining_seconds{node="lectern"}')
        assert 1100 < left < 1200
        other.kill()
        gone = 'timer_node_online{node="side"}'
        wait_until(lambda: prometheus.has(gone, [] if has_token else [0]), "the other node is offline")
    finally:
        prometheus.stop()
