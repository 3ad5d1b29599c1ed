"""Holds bodies and answers against the types of Anthropic's own Python library.

    pip install anthropic==2.14.0
    OUTRIGGER_PEERS_PYTHON=.venv/bin/python cargo test -p outrigger-models official

Reads JSON lines from standard input:
- {"body": …, "beta": bool}: a request's body. Keys the library does not know are refused.
- {"stream": "…", "content": […]}: a stream, and the blocks that go back. They must be those the library itself makes of
  the stream, but for who called a tool: the library sends that back, and it may be left out.
"""

import importlib
import json
import pkgutil
import sys
import warnings
from collections.abc import Iterator

import anthropic.types
import pydantic
from anthropic.lib.streaming._beta_messages import accumulate_event
from anthropic.types import message_create_params
from anthropic.types.beta import BetaRawMessageStreamEvent
from anthropic.types.beta import message_create_params as beta_message_create_params


def forbid_unknown_keys():
    """A typed dictionary takes any key unless it is told otherwise; one that says itself that it does stays open."""
    warnings.simplefilter("ignore", pydantic.warnings.TypedDictExtraConfigWarning)
    for module in pkgutil.walk_packages(anthropic.types.__path__, "anthropic.types."):
        for item in vars(importlib.import_module(module.name)).values():
            if isinstance(item, type) and hasattr(item, "__total__") and not hasattr(item, "__pydantic_config__"):
                item.__pydantic_config__ = pydantic.ConfigDict(extra="forbid")


def whole(value):
    """Iterables are validated when they are read, not before; blocks of answers, which are taken too, allow any key."""
    if isinstance(value, pydantic.BaseModel):
        assert not value.model_extra, f"unknown keys in a block: {value.model_extra}"
        return {name: whole(getattr(value, name)) for name in value.model_fields_set}
    if isinstance(value, dict):
        return {key: whole(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, Iterator)) or type(value).__name__ == "ValidatorIterator":
        return [whole(inner) for inner in value]
    return value


def accumulated(stream):
    """The content the library makes of a stream."""
    event_type = pydantic.TypeAdapter(BetaRawMessageStreamEvent)
    message, buffers = None, {}
    for event in stream.split("\n\n"):
        data = [line[len("data: ") :] for line in event.split("\n") if line.startswith("data: ")]
        if not data or json.loads(data[0])["type"] == "ping":
            continue
        message = accumulate_event(
            event=event_type.validate_json(data[0]),
            current_snapshot=message,
            json_bufs=buffers,
            request_headers={},
        )
    blocks = [block.to_dict() for block in message.content]
    return [{key: value for key, value in block.items() if key != "caller"} for block in blocks]


def main():
    forbid_unknown_keys()
    plain = pydantic.TypeAdapter(message_create_params.MessageCreateParamsStreaming)
    beta = pydantic.TypeAdapter(beta_message_create_params.MessageCreateParamsStreaming)
    counts = {"bodies": 0, "streams": 0}
    for line in sys.stdin:
        case = json.loads(line)
        if "body" in case:
            sent = whole((beta if case["beta"] else plain).validate_python(case["body"]))
            assert sent == case["body"], f"read otherwise: {sent}"
            counts["bodies"] += 1
        else:
            ours = [{key: value for key, value in block.items() if key != "caller"} for block in case["content"]]
            theirs = accumulated(case["stream"])
            assert ours == theirs, f"\nours   {json.dumps(ours)}\ntheirs {json.dumps(theirs)}"
            counts["streams"] += 1
    print(f"anthropic {anthropic.__version__}: {counts['bodies']} bodies, {counts['streams']} streams")


main()
