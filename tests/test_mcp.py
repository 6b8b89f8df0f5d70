"""The server of the Model Context Protocol, asked by the client of the protocol's own SDK."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import pytest

from tablero.cli.mcp import MOST_ANSWERS, call, tools

pytest.importorskip("mcp")


async def _conversation() -> dict[str, Any]:
    """A session: the tools, a solved puzzle, a made one, and a refusal."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(
        command=sys.executable, args=["-m", "tablero", "mcp", "--seconds", "60"], env=dict(os.environ)
    )
    async with stdio_client(server) as (incoming, outgoing), ClientSession(incoming, outgoing) as session:
        await session.initialize()
        return {
            "tools": (await session.list_tools()).tools,
            "solved": await session.call_tool("queens_solve", {"n": "6", "solutions": "all"}),
            "made": await session.call_tool("queens_generate", {"n": 6, "given": 2}),
            "refused": await session.call_tool("queens_solve", {"n": "6", "method": "magic"}),
            "unknown": await session.call_tool("queens_fly", {}),
        }


def _answer(result: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(result.content[0].text)
    assert result.structured_content == answer
    return answer


def test_a_client_lists_tools_and_asks() -> None:
    anyio = pytest.importorskip("anyio")
    heard = anyio.run(_conversation)
    offered = {tool.name: tool for tool in heard["tools"]}
    assert offered.keys() == tools().keys()
    schema = offered["queens_solve"].input_schema
    assert schema["required"] == ["n"]
    assert "exact" in json.dumps(schema["properties"]["method"])
    assert offered["queens_solve"].description.startswith("Place n queens")
    solved = _answer(heard["solved"])
    assert not heard["solved"].is_error
    assert (solved["status"], solved["solutions"], len(solved["answers"])) == ("complete", 4, 4)
    assert not heard["made"].is_error
    assert _answer(heard["made"])["puzzle"]
    assert heard["refused"].is_error
    assert _answer(heard["refused"])["error"].startswith("method magic: expected one of auto")
    assert heard["unknown"].is_error


def test_no_tool_reads_a_file(tmp_path: Any) -> None:
    path = tmp_path / "board.txt"
    path.write_text("4\n")
    answer, refused = call("queens_solve", {"n": str(path)}, 10.0)
    assert refused  # though it holds a board
    assert "expected a number of queens" in answer["error"]


def test_long_answers_are_cut() -> None:
    answer, refused = call("queens_solve", {"n": "9", "solutions": "all"}, 60.0)
    assert not refused
    assert len(answer["answers"]) == MOST_ANSWERS
    assert answer["answers_left_out"] == 352 - MOST_ANSWERS
