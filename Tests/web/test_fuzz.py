"""Requests that nobody expects, made by schemathesis of what the OpenAPI document says."""
import json
import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("role", [None, "remote", "operator"])
def test_openapi(bench, node, web, role):
    """No request of any role makes the server fail, and each answer is one that the document names."""
    arguments = []
    if role:
        token = web.run("tokens", "add", f"fuzz-{role}", "--role", role).split()[-1]
        arguments = ["--header", f"Authorization: Bearer {token}"]
    done = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "run", web.url + "api/openapi.json", "--url", web.url,
         # A stream never ends.
         "--exclude-path", "/api/events", "--max-examples", "20", "--seed", os.environ.get("TEST_SEED", "17"),
         "--checks", "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
         "--request-timeout", "20", "--generation-database", "none", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, cwd=bench.folder)
    assert done.returncode == 0, done.stdout[-6000:]
    # All of it still works.
    assert json.loads(web.get("api/nodes"))["nodes"][node.id]["state"]
    assert node.command("state")["status"] == "ok"
