"""Checks request bodies against the request types of the providers' own clients.

Reads JSON lines `{"wire": "chat" | "anthropic", "body": {…}}` from standard input and writes one line for each: `ok`, or
what is wrong with it. A field that the types do not know is wrong too, but for those that `ALSO` names.

Needs `pip install openai anthropic`.
"""

import importlib
import json
import pkgutil
import sys
from collections.abc import Iterator

from pydantic import ConfigDict, TypeAdapter, ValidationError
from typing_extensions import is_typeddict

# Fields of compatible servers, which the official types do not have.
ALSO = {"reasoning", "reasoning_content", "reasoning_details", "extra_content"}


def close(package):
    """Makes every typed dictionary of a package refuse fields that it does not name."""
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        try:
            loaded = importlib.import_module(module.name)
        except ImportError:
            continue
        for value in vars(loaded).values():
            if is_typeddict(value):
                value.__pydantic_config__ = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


def adapter(wire):
    if wire == "chat":
        import openai.types.chat as types
        from openai.types import chat, shared_params

        close(chat)
        close(shared_params)
        return TypeAdapter(types.completion_create_params.CompletionCreateParamsStreaming)
    if wire == "anthropic":
        from anthropic import types

        close(types)
        return TypeAdapter(types.message_create_params.MessageCreateParamsStreaming)
    raise SystemExit(f"there is no wire {wire!r}")


def exhaust(value):
    """Lists inside are checked only when they are read."""
    if isinstance(value, dict):
        for inner in value.values():
            exhaust(inner)
    elif isinstance(value, (list, tuple)) or isinstance(value, Iterator) or "ValidatorIterator" in type(value).__name__:
        for inner in value:
            exhaust(inner)


def without_others(value):
    if isinstance(value, dict):
        return {name: without_others(inner) for name, inner in value.items() if name not in ALSO}
    if isinstance(value, list):
        return [without_others(inner) for inner in value]
    return value


def main():
    adapters = {}
    for line in sys.stdin:
        asked = json.loads(line)
        wire = asked["wire"]
        if wire not in adapters:
            adapters[wire] = adapter(wire)
        try:
            exhaust(adapters[wire].validate_python(without_others(asked["body"])))
        except ValidationError as error:
            what = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()]
            print("; ".join(what[:8]))
        else:
            print("ok")


main()
