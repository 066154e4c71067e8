"""The brokers for a fleet: one mosquitto, a star of three, and a cluster of three ejabberd brokers.

The star and the cluster use the files in config/clusters, except for the ports, names, certificates and users.
"""
import json
import os
import pathlib
import re
import signal
import socket
import subprocess

import yaml

import measures
from broker import Broker
from processes import Process, free_port, wait_until

CLUSTERS = pathlib.Path(__file__).resolve().parents[1] / "config/clusters"
# ejabberd requires a user name; the others accept any.
USER, PASSWORD = "timer", "any"
# The settings that need certificates, which a benchmark does not have.
LISTENER = "listener|cafile|certfile|keyfile|require_certificate|use_identity_as_username"
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pids):
    """Returns the CPU time that these processes have used, in seconds."""
    fields = (pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split() for pid in pids)
    return sum(int(times[11]) + int(times[12]) for times in fields) / TICKS_A_SECOND


class Brokers:
    """The members of a cluster. Each is a process with a port. Clients use the first one."""

    counts = [10, 50, 100, 200, 300]  # how many nodes are measured on it

    def __init__(self, ports, processes):
        self.ports, self.processes = ports, processes

    @property
    def pids(self):
        return [process.id for process in self.processes]

    def memory(self):
        """Returns the resident memory of each member, in MiB."""
        return [measures.memory(pid)[0] for pid in self.pids]

    def kill(self, member):
        """Kills a member, which closes its connections, as if its machine had failed."""
        self.processes.pop(member).stop(signal.SIGKILL)

    def stop(self):
        for process in self.processes:
            process.stop(signal.SIGKILL)


class Single(Brokers):
    """One mosquitto."""

    counts = [*Brokers.counts, 1000]

    def __init__(self, folder):
        self._broker = Broker(folder / "mosquitto")
        super().__init__([self._broker.port], [self._broker.process])
        wait_until(lambda: accepts(self._broker.port), "mosquitto accepts connections")

    def start(self):
        """Restarts it after it was killed."""
        self._broker.start()
        self.processes.append(self._broker.process)


def star(folder):
    """Starts three mosquitto brokers, two of which have a bridge to the first."""
    hub = Broker(folder / "hub", without(CLUSTERS / "mosquitto/timer-hub.conf", LISTENER))
    bridge = without(CLUSTERS / "mosquitto/timer-bridge.conf", "bridge_(cafile|certfile|keyfile)|address|connection")
    # A bridge's name is part of its client id, so two bridges on one machine need different names.
    leaves = [Broker(folder / name, f"connection {name}\naddress 127.0.0.1:{hub.port}\n{bridge}")
              for name in ("left", "right")]
    members = [hub, *leaves]
    brokers = Brokers([broker.port for broker in members], [broker.process for broker in members])
    wait_until_joined(brokers)
    return brokers


def without(file, keys):
    """Returns a mosquitto configuration without some of its settings."""
    return re.sub(rf"^({keys}) .*\n", "", file.read_text(), flags=re.M)


def ejabberd(folder):
    """Starts a cluster of three ejabberd brokers."""
    ports = [free_port() for _ in range(3)]
    cluster = Ejabberds(folder / "ejabberd", ports)
    brokers = Brokers(ports, cluster.processes)
    wait_until_joined(brokers)
    return brokers


def accepts(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def client(program, port, *arguments):
    """Returns a mosquitto-clients command for a broker."""
    return [program, "-p", str(port), "-V", "5", "-u", USER, "-P", PASSWORD, *arguments]


def publish(port, topic, payload="", retain=False):
    message = ["-m", payload] if payload else ["-n"]
    command = client("mosquitto_pub", port, "-q", "1", "-t", topic, *message, *(["-r"] if retain else []))
    return subprocess.run(command, stderr=subprocess.DEVNULL, timeout=30).returncode == 0


def wait_until_joined(brokers):
    """Waits until a message retained on one member is found on all of them."""
    topic = "timer/ready"

    def found(port):
        wait = ["-q", "1", "-t", topic, "-C", "1", "-W", "1"]
        return subprocess.run(client("mosquitto_sub", port, *wait), capture_output=True).stdout == b"x\n"

    last = brokers.ports[-1]
    wait_until(lambda: publish(last, topic, "x", retain=True) and all(map(found, brokers.ports)),
               "a message retained on one member is found on all of them")
    publish(last, topic, retain=True)


def erlang_node(number):
    """Returns the Erlang node name of a member."""
    return f"ejabberd{number}@127.0.0.1"


class Ejabberds:
    """The members of a cluster on this machine, each with its own folder, and epmd, the directory of Erlang nodes.

    The configuration comes from config/clusters, without certificates, users and access lists.
    """

    def __init__(self, folder, ports):
        self._folder = folder
        folder.mkdir()
        library = next(pathlib.Path("/usr/lib").glob("*/ejabberd-*"))
        self._environment = os.environ | {
            "ERL_EPMD_ADDRESS": "127.0.0.1", "ERL_EPMD_PORT": str(free_port()), "ERL_LIBS": str(library.parent)}
        subprocess.run(
            ["erlc", "-I", library / "include", "-o", folder, CLUSTERS / "ejabberd/mod_mqtt_members.erl"], check=True,
            stdout=subprocess.DEVNULL, env=self._environment)
        self._directory = Process("epmd", log=folder / "epmd.log", environment=self._environment)
        self.processes = [self._member(number, port) for number, port in enumerate(ports, 1)]
        # One after another: members that join at the same time do not find each other.
        for number, port in enumerate(ports, 1):
            wait_until(lambda: accepts(port), f"member {number} accepts connections")
            if number > 1:
                self._join(number)

    def _member(self, number, port):
        folder = self._folder / str(number)
        folder.mkdir()
        configuration = yaml.safe_load((CLUSTERS / "ejabberd/ejabberd.yml").read_text())
        for key in ("certfiles", "auth_password_format", "acl", "access_rules"):
            del configuration[key]
        for key in ("access_publish", "access_subscribe"):
            del configuration["modules"]["mod_mqtt"][key]
        listener = configuration["listen"][0]
        del listener["tls"]
        listener |= {"ip": "127.0.0.1", "port": port}
        configuration |= {
            "auth_method": "anonymous", "anonymous_protocol": "login_anon", "allow_multiple_connections": True}
        (folder / "ejabberd.yml").write_text(json.dumps(configuration))  # JSON is YAML too.
        environment = self._environment | {
            "HOME": str(folder), "EJABBERD_CONFIG_PATH": str(folder / "ejabberd.yml"),
            "EJABBERD_LOG_PATH": str(folder / "ejabberd.log")}
        options = re.search('^ERL_OPTIONS="(.*)"', (CLUSTERS / "ejabberd/ejabberdctl.cfg").read_text(), re.M)[1]
        return Process(
            "erl", "-name", erlang_node(number), "-setcookie", "fleet", "-start_epmd", "false", "-noinput",
            *options.replace("/etc/ejabberd/modules", str(self._folder)).split(),
            "-kernel", "inet_dist_use_interface", "{127,0,0,1}", "-mnesia", "dir", f'"{folder}/db"', "-s", "ejabberd",
            log=folder / "log", environment=environment)

    def _join(self, number):
        """Makes a member join the first one and copy its data."""
        call = f"rpc:call('{erlang_node(number)}', ejabberd_cluster, join, ['{erlang_node(1)}'])"
        subprocess.run(
            ["erl", "-name", "joiner@127.0.0.1", "-setcookie", "fleet", "-start_epmd", "false", "-hidden", "-noinput",
             "-eval", f"ok = {call}, halt()."], check=True, env=self._environment, timeout=60, stdout=subprocess.DEVNULL)
