"""The daemon's own description of itself, and whether an answer is as it says. Schemas are judged by python3-jsonschema."""

import datetime
import re

import jsonschema

from .events import EventReader
from .http import Response

_FORMATS = jsonschema.FormatChecker()


@_FORMATS.checks("date-time", raises=ValueError)
def _is_time(value):
    """RFC 3339 in UTC, as the daemon writes it."""
    if isinstance(value, str):
        datetime.datetime.strptime(value, "%Y-%m-%dT%H:%M:%S.%fZ" if "." in value else "%Y-%m-%dT%H:%M:%SZ")
    return True


# What any route may answer, as the range 4XX: it is wrong with the request before its route is looked at.
_OF_HTTP = (400, 408, 413, 415, 417, 431)


class NotAsDescribed(AssertionError):
    """The daemon answered something that its description does not know."""


class Description:
    def __init__(self, document):
        self.document = document
        for schema in document["components"]["schemas"].values():
            _close(schema)

    def operations(self):
        """(method, path, operation) of each."""
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                yield method.upper(), path, operation

    def resolve(self, value):
        """What a $ref of the document stands for; anything else as it is."""
        while "$ref" in value:
            place = self.document
            for part in value["$ref"].removeprefix("#/").split("/"):
                place = place[part]
            value = place
        return value

    def body_schema(self, operation):
        """The schema of an operation's body, a $ref as a rule; None where it has none."""
        body = operation.get("requestBody")
        return body and body["content"]["application/json"]["schema"]

    def parameters(self, operation, where):
        return [each for each in map(self.resolve, operation.get("parameters", [])) if each["in"] == where]

    def check(self, schema, value):
        """Holds `value` against a schema of the document."""
        whole = {"components": self.document["components"], **schema}
        validator = jsonschema.Draft202012Validator(whole, format_checker=_FORMATS)
        errors = sorted(validator.iter_errors(value), key=lambda error: list(map(str, error.absolute_path)))
        if errors:
            where = "/".join(map(str, errors[0].absolute_path))
            raise NotAsDescribed(f"{where or 'the whole'}: {errors[0].message[:500]}")

    def check_answer(self, operation, answer):
        """That an answer's status, media type and body are among those of `operation`."""
        responses = operation["responses"]
        described = responses.get(str(answer.status), responses["4XX"] if answer.status in _OF_HTTP else None)
        if described is None:
            raise NotAsDescribed(f"{operation['operationId']} answers {answer.status}, which is not described: {answer}")
        found = re.sub(r"\s*;\s*", "; ", answer.headers.get("content-type", ""))
        for media_type, content in self.resolve(described).get("content", {}).items():
            if media_type == found or media_type == found.split(";")[0]:
                value = answer.json if media_type == "application/json" else answer.raw.decode("utf-8")
                return self.check(content["schema"], value)
        raise NotAsDescribed(f"{operation['operationId']} answers {answer.status} as {found!r}, which is not described")


def streamed(connection):
    """The next answer of a connection, whose body comes as events: a Response with their text, and the events."""
    reader = EventReader(connection)
    events = reader.rest()
    return Response(reader.status, reader.headers, repr(events).encode()), events


def _close(schema):
    """A member that is not described is a mistake in an answer too, though its reader is to pass over it."""
    if isinstance(schema, dict):
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for value in schema.values():
            _close(value)
    elif isinstance(schema, list):
        for value in schema:
            _close(value)
