"""Proxies in front of timer-web, with the recipes of config/web, and the certificate that they need."""
import pathlib
import re
import shutil
import socket
import subprocess

from processes import Process, free_port, wait_until

RECIPES = pathlib.Path(__file__).parents[2] / "config/web"
NAME = "timer.example"


def certificate(folder):
    """A certificate for the name of the recipes and its key, as files."""
    files = folder / "timer.example.pem", folder / "timer.example.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}", "-addext",
         f"subjectAltName=DNS:{NAME}", "-out", files[0], "-keyout", files[1]], check=True, stderr=subprocess.DEVNULL)
    return files


class Proxy:
    """A proxy that runs a recipe, with its name and addresses replaced by those of the test."""

    def __init__(self, folder, web_port):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.port = free_port()
        self._start(web_port)
        wait_until(self._is_open, "the proxy listens", otherwise=lambda: self.log.read_text()[-2000:])

    @property
    def url(self):
        return f"https://{NAME}:{self.port}/"

    def _is_open(self):
        self._process.check()
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def _recipe(self, name, *replacements):
        text = (RECIPES / name).read_text()
        for pattern, replacement in replacements:
            text, count = re.subn(pattern, replacement, text)
            assert count, f"{name} has no {pattern}"
        return text

    def _run(self, *command):
        self.log = self.folder / "proxy.log"
        self._process = Process(*command, log=self.log)

    def stop(self):
        self._process.stop()


class Nginx(Proxy):
    def _start(self, web_port):
        chain, key = certificate(self.folder)
        # The redirection needs port 80, which is not available to the test.
        recipe = self._recipe(
            "nginx.conf", (r"listen 443 ssl", f"listen {self.port} ssl"), (r"(?s)\n *listen \[::\]:443[^\n]*", ""),
            (r"/etc/ssl/timer\.example\.pem", str(chain)), (r"/etc/ssl/timer\.example\.key", str(key)),
            (r"127\.0\.0\.1:8080;", f"127.0.0.1:{web_port};"), (r"(?s)\nserver \{\s+listen 80;.*", ""))
        file = self.folder / "nginx.conf"
        temporary = "".join(
            f"    {kind}_temp_path {self.folder}/{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        file.write_text(
            f"user root;\ndaemon off;\npid {self.folder}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\n    access_log off;\n{temporary}{recipe}\n}}\n")
        self._run(shutil.which("nginx", path="/usr/sbin:/usr/bin"), "-p", self.folder, "-c", file)


class Caddy(Proxy):
    def _start(self, web_port):
        chain, key = certificate(self.folder)
        recipe = self._recipe(
            "Caddyfile", (r"timer\.example \{", f"{NAME}:{self.port} {{\n\ttls {chain} {key}"),
            (r"127\.0\.0\.1:8080", f"127.0.0.1:{web_port}"))
        file = self.folder / "Caddyfile"
        file.write_text("{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + recipe)
        self._run("env", f"HOME={self.folder}", shutil.which("caddy"), "run", "--config", file, "--adapter", "caddyfile")
