"""The programs to measure: timer-node with and without storage, the floor in C, and mqtt-io; and their broker."""
import contextlib
import dataclasses
import pathlib
import shutil
import socket
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
CACHE = pathlib.Path.home() / ".cache/timer-node/mqtt-io"
MOSQUITTO = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
FLOOR, BARE, KEPT = "floor in C", "timer-node", "timer-node, state kept"


@dataclasses.dataclass
class Subject:
    """A program that receives two commands alternately, and responds to both on one topic."""

    name: str
    arguments: list
    ready: str  # a topic with a retained message once the program is ready
    answer: str
    commands: list  # each with a topic or a button's file, a payload and the expected response
    clock: str = "-"  # the file of its gpio_clock, if the time of its line is measured
    begin: str = ""  # the topic of a message to send before the first command
    rest: str = ""  # the topic of a message that makes the program idle

    def fields(self):
        """Returns the arguments of client.c for this program."""
        return [self.name, self.answer, self.clock] + [field for command in self.commands for field in command]


@contextlib.contextmanager
def running(arguments):
    """Runs a program, and stops it when the block ends, even after an error."""
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(arguments, stdin=nowhere, stdout=nowhere, stderr=nowhere)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def broker(folder, settings=""):
    """Runs a private mosquitto, configured as in Debian except for the port and extra settings. Yields the port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    file = folder / f"mosquitto-{port}.conf"
    file.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n{settings}\n")
    with running([MOSQUITTO, "-c", file]) as process:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            try:
                process.wait(0.1)
            except subprocess.TimeoutExpired:
                continue
            raise SystemExit("mosquitto did not start")
        yield port


class Programs:
    """The compiled C programs."""

    def __init__(self, folder):
        self.client, self.floor = folder / "client", folder / "floor"
        bindings = HERE.parent / "Sources/CGPIOD"
        compile_c(self.client)
        compile_c(self.floor, f"-I{bindings}/include", *sorted(bindings.glob("*.c")), "-lgpiod")


# Options of the compiler for a shared library.
SHARED = ["-shared", "-fPIC"]


def compile_c(program, *more, source=None):
    compiler = shutil.which("cc") or shutil.which("clang")
    source = HERE / (source or f"{program.name}.c")
    subprocess.run(
        [compiler, "-O2", "-D_Nonnull=", "-D_Nullable=", "-o", program, source, *more, "-lmosquitto"], check=True)


def install_mqtt_io():
    """Installs mqtt-io from PyPI unless it is installed; returns its Python, or None and the reason."""
    python = CACHE / "bin/python"
    try:
        if not (CACHE / "installed").exists():
            subprocess.run(["/usr/bin/python3", "-m", "venv", CACHE], check=True, capture_output=True, timeout=120)
            install = [python, "-m", "pip", "install", "--quiet", "mqtt-io"]
            subprocess.run(install, check=True, capture_output=True, timeout=300)
            (CACHE / "installed").touch()
    except (OSError, subprocess.SubprocessError) as error:
        said = (getattr(error, "stderr", None) or b"").decode(errors="replace").strip()
        return None, (said or str(error)).splitlines()[-1]
    return python, None


def node(name, program, port, folder, kept=False, gpio=""):
    """Returns timer-node with two timers of ten hours.

    - gpio: the YAML of its lines, with `{green: on}` while it counts and nothing while it is paused.
    """
    identity = "kept" if kept else "bare"
    file = folder / f"{identity}-{port}.yaml"
    file.write_text(
        f"node: {{id: {identity}}}\n"
        f"mqtt: {{brokers: ['mqtt://127.0.0.1:{port}'], command_rate: 0, keepalive: 1:00:00, health_interval: 1:00:00}}\n"
        "timers: {groups: [{timers: [{start: 10:00:00, warning: 1:00}, {start: 10:00:00}]}]}\n"
        + (f"storage: {{directory: {folder}/state-{port}}}\n" if kept else "")
        + (f"gpio: {gpio}\nsignals: {{countdown: {{green: on}}, paused: {{green: off}}}}\n" if gpio else ""))
    topic = f"timer/{identity}"
    return Subject(
        name, [program, "run", "--config", file], f"{topic}/mode", f"{topic}/mode", commands(topic),
        begin=f"{topic}/command/start", rest=f"{topic}/command/stop")


def floor(program, port, *gpio):
    """Returns the minimal node of floor.c, with a chip, a line and a button if `gpio` has them."""
    return Subject(FLOOR, [program, str(port), "floor", *gpio], "floor/mode", "floor/mode", commands("floor"))


def commands(topic):
    return [(f"{topic}/command/pause", "", "paused"), (f"{topic}/command/resume", "", "countdown")]


def mqtt_io_server(python, port, folder):
    """Returns mqtt-io with one output, whose level it writes to standard output."""
    file = folder / f"mqtt-io-{port}.yaml"
    file.write_text(
        f"mqtt: {{host: 127.0.0.1, port: {port}, topic_prefix: io}}\n"
        "gpio_modules: [{name: out, module: stdio}]\n"
        "digital_outputs: [{name: lamp, module: out, pin: 1, on_payload: 'ON', off_payload: 'OFF'}]\n")
    return Subject(
        "mqtt-io", [python, "-m", "mqtt_io", file], "io/status", "io/output/lamp",
        [("io/output/lamp/set", "OFF", "OFF"), ("io/output/lamp/set", "ON", "ON")])
