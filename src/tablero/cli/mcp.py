"""`tablero mcp`: the verbs as tools of the Model Context Protocol, over standard input and output.

Every verb is a tool named `family_verb` with the verb's JSON schema.  A search stops after some seconds, long lists of
answers are cut, and no text in a request is read as the name of a file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import Meta

from tablero.cli.options import Done, command
from tablero.errors import BadInput, MissingExtra
from tablero.families import families
from tablero.verbs import Verb

MOST_ANSWERS = 100
MOST_TEXT = 100_000  # characters of an answer


def tools() -> dict[str, Verb]:
    """The verbs by tool name."""
    return {
        f"{family.name}_{verb.name.replace('-', '_')}": verb
        for family in families().values()
        for verb in family.verbs.values()
    }


def call(name: str, arguments: dict[str, Any], seconds: float) -> tuple[dict[str, Any], bool]:
    """The answer of a tool as a JSON object, and whether it is an error."""
    from tablero.runs.run import Here

    known = tools()
    if name not in known:
        return {"error": f"no tool {name[:60]!r}"}, True
    verb = known[name]
    try:
        found = verb.ask_json(arguments, Here(time_limit=seconds) if verb.runs else None)
        answer = found.to_dict() if hasattr(found, "to_dict") else {"status": "solved", "puzzle": verb.as_text(found)}
        return _cut(answer), False
    except (BadInput, MemoryError, RecursionError) as error:
        return {"error": str(error) or "not enough memory for this problem"}, True


def _cut(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer of limited length."""
    answers = answer.get("answers")
    if isinstance(answers, list) and len(answers) > MOST_ANSWERS:
        answer = {**answer, "answers": answers[:MOST_ANSWERS], "answers_left_out": len(answers) - MOST_ANSWERS}
    if len(json.dumps(answer, ensure_ascii=False)) > MOST_TEXT:
        answer = {key: value for key, value in answer.items() if len(json.dumps(value)) < MOST_TEXT // 10}
        answer["left_out"] = "values that are too long"
    return answer


@command(name="mcp")
def mcp(
    *,
    seconds: Annotated[
        float, Meta(gt=0, le=3600, description="Stop every search after this number of seconds.")
    ] = 10.0,
) -> Iterator[Done]:
    """Offer every verb as a tool of the Model Context Protocol, over standard input and output.

    Examples:
        tablero mcp
        tablero mcp --seconds 60
    """
    try:
        import anyio
        import mcp_types as types
        from mcp.server.lowlevel import Server
        from mcp.server.stdio import stdio_server
    except ImportError:
        raise MissingExtra("the server of the Model Context Protocol", "mcp") from None

    async def list_tools(context: Any, params: Any) -> Any:
        offered = [
            types.Tool(name=name, description=verb.summary, input_schema=verb.schema())
            for name, verb in tools().items()
        ]
        return types.ListToolsResult(tools=offered)

    async def call_tool(context: Any, params: Any) -> Any:
        answer, refused = await anyio.to_thread.run_sync(call, params.name, params.arguments or {}, seconds)
        text = types.TextContent(type="text", text=json.dumps(answer, ensure_ascii=False))
        return types.CallToolResult(content=[text], structured_content=answer, is_error=refused)

    async def main() -> None:
        server: Any = Server("tablero", on_list_tools=list_tools, on_call_tool=call_tool)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    anyio.run(main)
    yield from ()
