"""Tokens of a daemon under test, made as an operator makes them."""

import json
import subprocess

from .process import program


def token_verb(state_dir, *words):
    """`outrigger token …` on a state directory; the JSON it prints."""
    done = subprocess.run([program("outrigger"), "token", *words, "--json", "--state-dir", str(state_dir)],
                          capture_output=True, timeout=60, check=False)
    if done.returncode != 0:
        raise AssertionError(f"outrigger token {words}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return json.loads(done.stdout)


def make_token(state_dir, tenant, *options):
    """A new token of this tenant, as what `outrigger token create --json` prints."""
    return token_verb(state_dir, "create", "--tenant", tenant, *options)


def bearer(token):
    return {"Authorization": f"Bearer {token['token'] if isinstance(token, dict) else token}"}
