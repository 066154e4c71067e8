"""The pages' pure modules on a table of cases from the real engine, node, client and server; without a browser."""
import os
import pathlib
import subprocess

from playwright._impl._driver import compute_driver_executable

from server import WWW

HERE = pathlib.Path(__file__).parent


def test_pages_compute_what_the_node_does():
    table = subprocess.run([pathlib.Path(os.environ["TIMER_NODE"]).parent / "page-cases"], capture_output=True, check=True)
    # Playwright includes a Node.js.
    node, _ = compute_driver_executable()
    result = subprocess.run([node, HERE / "cases.mjs", WWW / "assets"], input=table.stdout, capture_output=True)
    print(result.stdout.decode())
    assert result.returncode == 0, (result.stdout + result.stderr).decode()
