"""The server: pages, and a JSON API under /api.  It validates requests, passes them on and streams; it never searches.

Every error is {"error": one line, "field": where} with the message of the command line, because the same code makes it.  The
error for a job that needs no search also has "at_once": the question can be asked without a job.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import cache
from importlib.resources import files
from typing import Annotated, Any

from fastapi import FastAPI, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.exceptions import HTTPException

from tablero import __version__
from tablero.errors import BadInput, JobError
from tablero.families import by_word, families
from tablero.runs import jobs
from tablero.runs.jobfile import NoSuchJob
from tablero.web import starting, work
from tablero.web.forms import MOST_TEXT, BadField, NotThere
from tablero.web.guard import AllowedHosts, Guard
from tablero.web.limits import Notes
from tablero.web.pool import Boards, Busy, Closing, Plays, Pool, Slow, policy_of
from tablero.web.watching import Watch

_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
_WORDS = [family.word for family in families().values()]
_NAMES = [word for family in families().values() for word in family.words]  # also as jobs and the library call them
_PING = 15  # seconds between two pings of an event stream

Word = Annotated[str, Path(description="a family's word on the command line", pattern=f"^({'|'.join(_NAMES)})$")]
VerbName = Annotated[str, Path(pattern="^[a-z]{1,20}$")]
Number = r"^[a-z0-9]{0,40}$"  # the identifier that the page chose for a question
JobName = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Filled = dict[str, str | int | bool]


class Body(BaseModel):
    """The body of a request."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Asked(Body):
    """The fields of a form."""

    form: Filled = {}


class Drawing(Body):
    """A drawing as SVG."""

    svg: str = Field(max_length=MOST_TEXT)


class NewJob(Body):
    """A search to run as a job."""

    family: str = Field(max_length=40)
    verb: str = Field(max_length=40)
    form: Filled = {}
    name: str = Field("", max_length=64)
    threads: int = Field(1, ge=1, le=starting.MOST_THREADS)
    time_limit: float | None = Field(None, gt=0, le=1e9)


class Resumed(Body):
    """The options of a resumed job."""

    threads: int = Field(1, ge=1, le=starting.MOST_THREADS)


def make_app(allowed: AllowedHosts) -> Guard:
    """The application, behind its guard."""
    processes, notes = starting.Processes(), Notes()
    pool, watch = Pool(), Watch(processes)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        warming = asyncio.create_task(pool.warm())
        looking = asyncio.create_task(watch.run())
        try:
            yield
        finally:
            for task in (warming, looking):
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
            await pool.close()
            notes.close()

    async def close() -> None:
        """Answer all waiting requests, so that no connection is cut."""
        watch.close()
        await pool.close()

    app = FastAPI(
        title="tablero",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    for kind in (Exception, HTTPException, BadInput, RequestValidationError, Busy, Slow, Closing):
        app.add_exception_handler(kind, _refusal)
    _add_families(app, pool)
    _add_questions(app, pool, notes)
    _add_jobs(app, pool, watch, processes)
    _add_findings(app, pool, watch, processes)
    _add_pages(app)
    return Guard(app, allowed, close)


def _refuse(status: int, message: str, field: str | None = None, *, at_once: bool = False) -> JSONResponse:
    more = {**({"field": field} if field else {}), **({"at_once": True} if at_once else {})}
    return JSONResponse({"error": message, **more}, status)


def _unfit(fault: dict[str, Any]) -> JSONResponse:
    """The error for an invalid request, worded like all other errors."""
    place, kind, given = [str(part) for part in fault["loc"]], fault["type"], fault.get("input")
    shown = repr(given) if len(repr(given)) <= 60 else repr(given)[:57] + "…"
    if place == ["path", "word"]:
        return _refuse(404, f"there is no family {shown}: expected one of {', '.join(_WORDS)}")
    if place == ["path", "name"]:
        return _refuse(404, f"the name {shown}: expected at most 64 letters, digits, dots, dashes or underscores")
    if place[:2] == ["body", "form"] and len(place) > 2:
        return _refuse(422, f"{place[2][:60]}: {shown}: expected a text, a whole number, or true or false", place[2])
    where = ".".join(place[1:])[:80] or "the request"
    if kind == "json_invalid":
        return _refuse(422, "the request: expected JSON")
    if kind == "missing":
        return _refuse(422, f"{where} is missing")
    if kind == "extra_forbidden":
        return _refuse(422, f"there is no field {where!r}")
    words = re.sub("^(Input|String|Value) should (be|have|match) ?", "", fault["msg"])
    return _refuse(422, f"{where}: {shown}: expected {words}"[:300])


async def _refusal(request: Request, error: Exception) -> Response:
    """The reply for an exception."""
    message = " ".join(str(error).split())
    match error:
        case BadInput():
            status = 404 if isinstance(error, (NoSuchJob, NotThere)) else 409 if isinstance(error, JobError) else 422
            return _refuse(status, message, error.name if isinstance(error, BadField) else None)
        case RequestValidationError():
            return _unfit(error.errors()[0])
        case Busy():
            return _refuse(429, message)
        case Slow():
            return _refuse(503, message)
        case Closing():
            return _refuse(503, "the server is being closed")
        case HTTPException():
            found_none = error.status_code == 404 and _is_navigation(request)
            return _shell(404) if found_none else _refuse(error.status_code, str(error.detail))
    return _refuse(500, f"internal error ({type(error).__name__}): see the terminal of the server")


def _passed(reply: work.Reply) -> Response:
    """The response for a worker's reply."""
    if "refused" in reply:
        status = 503 if reply.get("slow") else 404 if reply.get("missing") else 422
        return _refuse(status, reply["refused"], reply.get("field"), at_once=reply.get("at_once", False))
    return JSONResponse(reply)


def _add_families(app: FastAPI, pool: Pool) -> None:
    """Add the routes for families, puzzles, explanations and drawings."""

    @app.get("/api/families", summary="All families, with their forms")
    async def families() -> dict[str, Any]:
        return {"version": __version__, "families": [_family(word) for word in _WORDS]}

    @app.get(
        "/api/families/{word}", summary="A family: its fields, verbs and examples, and the JSON Schema of each verb"
    )
    async def family(word: Word) -> dict[str, Any]:
        return {**_family(word), "schemas": {name: verb.schema() for name, verb in by_word(word).verbs.items()}}

    @app.post("/api/families/{word}/show", summary="A puzzle, validated and drawn")
    async def show(word: Word, asked: Asked, request: Request) -> Response:
        return _passed(await pool.draw(work.show, word, asked.form, request=request))

    @app.post("/api/families/{word}/load", summary="Read a puzzle from a file")
    async def load(word: Word, request: Request, name: Annotated[str, Query(max_length=200)] = "") -> Response:
        return _passed(await pool.draw(work.load, word, await request.body(), name, request=request))

    @app.get("/api/families/{word}/guides", summary="The explanations of a family")
    async def guides(word: Word) -> Response:
        return _passed(await pool.draw(work.guides, word))

    @app.get("/api/families/{word}/guides/{name}", summary="One explanation, with its drawing")
    async def guide(
        word: Word, name: Annotated[str, Path(pattern=r"^[A-Za-z0-9-]{1,60}$")], request: Request
    ) -> Response:
        return _passed(await pool.think(work.guide, word, name, request=request))

    @app.post(
        "/api/pdf",
        summary="A drawing as a PDF",
        response_class=Response,
        responses={200: {"content": {"application/pdf": {}}}},
    )
    async def pdf(drawing: Drawing, request: Request) -> Response:
        reply = await pool.draw(work.pdf, drawing.svg, request=request)
        return _passed(reply) if "refused" in reply else Response(reply["pdf"], media_type="application/pdf")


def _add_questions(app: FastAPI, pool: Pool, notes: Notes) -> None:
    """Add the routes for questions, for the progress of compiling, and for player pages."""
    plays = Plays()

    @app.post("/api/families/{word}/ask/{verb}", summary="Ask a question and wait for the answer")
    async def ask(
        word: Word,
        verb: VerbName,
        asked: Asked,
        request: Request,
        number: Annotated[str, Query(description="identifier for /api/compiling", pattern=Number)] = "",
    ) -> Response:
        do = pool.draw if work.page_of(word).verb(verb).light else pool.think
        try:
            reply = await do(work.ask, word, verb, asked.form, notes.path(number), request=request)
        finally:
            notes.drop(number)
        if "page" in reply:
            reply["play"] = plays.keep(reply.pop("page"))
        return _passed(reply)

    @app.get("/api/compiling/{number}", summary="What is left to compile for a question")
    async def compiling(number: Annotated[str, Path(pattern=Number)]) -> dict[str, Any]:
        return {"compiling": notes.read(number)}

    @app.get("/play/{number}", include_in_schema=False)
    async def play(number: Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,40}$")]) -> Response:
        page = plays.find(number)
        if page is None:
            return _refuse(404, "this page is no longer kept: ask for it again")
        return Response(
            page, media_type="text/html; charset=utf-8", headers={"content-security-policy": policy_of(page)}
        )


def _family(word: str) -> dict[str, Any]:
    return {"word": word, **work.page_of(word).to_dict()}


def _add_jobs(app: FastAPI, pool: Pool, watch: Watch, processes: starting.Processes) -> None:
    """Add the routes that list, start, stop, resume and delete jobs."""

    @app.get("/api/jobs", summary="All jobs")
    async def list_jobs() -> dict[str, Any]:
        others = await asyncio.to_thread(processes.without_file)
        return {"jobs": list({**others, **watch.jobs}.values())}

    @app.post("/api/jobs", summary="Start a job", status_code=201)
    async def start(new: NewJob, request: Request) -> Response:
        if new.family not in _NAMES:
            raise BadField("family", f"there is no family {new.family!r}: expected one of {', '.join(_WORDS)}")
        with _of_field("verb", NotThere):
            work.page_of(new.family).verb(new.verb)
        name = new.name or await asyncio.to_thread(starting.free_name, new.family, new.verb)
        with _of_field("name", JobError):
            path = jobs.path_of(name)
        starting.require_new(path)
        reply = await pool.think(work.check, new.family, new.verb, new.form, request=request)
        if "refused" in reply and not reply.get("slow"):  # a job has more time than the check
            return _passed(reply)
        await asyncio.to_thread(processes.start, name, new.model_dump(exclude={"name"}))
        return JSONResponse({"name": name}, 201)

    @app.get("/api/jobs/{name}", summary="One job, with its curves")
    async def show(name: JobName, points: bool = True) -> dict[str, Any]:
        if name in watch.jobs:
            more = await asyncio.to_thread(starting.at_work, name, watch.jobs[name])
            curves = watch.curves.get(name)
            where = {"points": curves.points if curves else [], "trace": watch.traces.get(name, [])}
            return {**watch.jobs[name], **more, **(where if points else {})}
        without = await asyncio.to_thread(processes.without_file)
        if name in without:
            return {**without[name], "points": []}
        if os.path.lexists(jobs.path_of(name)):  # it was just created
            return {**starting.about_to_be(name), "points": []}
        raise NoSuchJob(jobs.path_of(name))

    @app.post("/api/jobs/{name}/stop", summary="Stop a job, so that it can be resumed")
    async def stop(name: JobName) -> dict[str, Any]:
        return {"name": name, "stopped": await asyncio.to_thread(processes.stop, name)}

    @app.post("/api/jobs/{name}/resume", summary="Resume a job")
    async def resume(name: JobName, resumed: Resumed) -> dict[str, Any]:
        await asyncio.to_thread(processes.resume, name, resumed.threads)
        return {"name": name}

    @app.delete("/api/jobs/{name}", summary="Delete a job and its answers")
    async def remove(name: JobName) -> dict[str, Any]:
        await asyncio.to_thread(processes.remove, name)
        return {"name": name, "removed": True}


def _add_findings(app: FastAPI, pool: Pool, watch: Watch, processes: starting.Processes) -> None:
    """Add the routes for the answers, boards, logs and exports of jobs, and for events."""
    boards = Boards(pool)

    @app.get("/api/jobs/{name}/answers", summary="The answers found so far, some at a time")
    async def answers(
        name: JobName,
        first: Annotated[int, Query(alias="from", ge=0, le=10**12)] = 0,
        count: Annotated[int, Query(ge=0, le=work.MOST_ANSWERS)] = 20,
        *,
        request: Request,
    ) -> Response:
        await asyncio.to_thread(_require_job, name)
        return _passed(await pool.think(work.answers, name, first, count, request=request))

    @app.get("/api/jobs/{name}/board", summary="The current board of a job, or its best board")
    async def board(
        name: JobName,
        best: bool = False,
        seen: Annotated[int, Query(description="number of the board that the page shows", ge=0, le=10**18)] = 0,
    ) -> Response:
        await asyncio.to_thread(_require_job, name)
        return _passed(await boards.board(name, best, seen, watch.jobs.get(name)))

    @app.get("/api/jobs/{name}/trace", summary="The trace of a job's annealing: trials, temperature and cost")
    async def trace(
        name: JobName,
        after: Annotated[int, Query(description="only points with more trials than this", ge=-1, le=10**18)] = -1,
    ) -> dict[str, Any]:
        await asyncio.to_thread(_require_job, name)
        return {"name": name, "trace": [point for point in watch.traces.get(name, ()) if point.trials > after]}

    @app.get("/api/jobs/{name}/log", summary="The end of a job's log")
    async def log(name: JobName) -> dict[str, Any]:
        if name not in await asyncio.to_thread(processes.without_file):
            await asyncio.to_thread(_require_job, name)
        return {"name": name, "log": await asyncio.to_thread(starting.read_log, name)}

    @app.get("/api/jobs/{name}/export", summary="A job as one JSON file")
    async def export(name: JobName) -> Response:
        await asyncio.to_thread(_require_job, name)
        kept = {"content-disposition": f'attachment; filename="{name}.json"'}
        return StreamingResponse(_exported(name), media_type="application/json", headers=kept)

    @app.get("/api/events", summary="Changes of all jobs, as server-sent events")
    async def events(request: Request) -> Response:
        if watch.full:
            raise Busy("too many pages are open")
        last = request.headers.get("last-event-id", "")
        number = int(last) if re.fullmatch(r"[0-9]{1,18}", last) else None

        async def stream() -> AsyncIterator[ServerSentEvent]:
            async for event in watch.events(number):
                yield ServerSentEvent(event.data, event=event.kind, id=str(event.number))

        return EventSourceResponse(stream(), ping=_PING)


@contextmanager
def _of_field(name: str, kind: type[BadInput]) -> Iterator[None]:
    """Report an error of this kind at a field of the request."""
    try:
        yield
    except kind as error:
        raise BadField(name, str(error)) from None


def _require_job(name: str) -> None:
    path = jobs.path_of(name)
    if not path.exists():
        raise NoSuchJob(path)


async def _exported(name: str) -> AsyncIterator[bytes]:
    """The output of `tablero jobs export`, in pieces, because it may be large."""
    command = [sys.executable, "-P", "-m", "tablero", "jobs", "export", name]
    process = await asyncio.to_thread(subprocess.Popen, command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        while piece := await asyncio.to_thread(process.stdout.read, 1 << 16):
            yield piece
    finally:
        process.terminate()
        process.stdout.close()
        await asyncio.to_thread(process.wait)


@cache
def _read(package: str, name: str) -> bytes | None:
    """The content of a file of a package."""
    file = files(package) / name
    return file.read_bytes() if file.is_file() else None


def _add_pages(app: FastAPI) -> None:
    @app.get("/static/{name}", include_in_schema=False)
    async def static(name: Annotated[str, Path(pattern=r"^[a-z0-9_]{1,40}\.(js|css|svg|json)$")]) -> Response:
        return _file(_read("tablero.web", f"static/{name}"), name)

    @app.get("/static/families/{word}.js", include_in_schema=False)
    async def script(word: Word) -> Response:
        return _file(_read(by_word(word).package, "page.js"), f"{word}.js")

    async def shell() -> Response:
        return _shell()

    guided = [f"/{word}/guide{rest}" for word in _WORDS if work.page_of(word).guide for rest in ("", "/{name}")]
    for path in ("/", "/jobs", "/jobs/{name}", "/api", *(f"/{word}" for word in _WORDS), *guided):
        app.get(path, include_in_schema=False)(shell)


def _is_navigation(request: Request) -> bool:
    """Whether a browser requests the address as a page, not a script."""
    path = request.url.path
    return "text/html" in request.headers.get("accept", "") and not path.startswith(("/api/", "/static/"))


def _shell(status: int = 200) -> Response:
    """The HTML of every page; main.js shows what belongs to the address."""
    return _file(_read("tablero.web", "static/index.html"), "index.html", status)


def _file(body: bytes | None, name: str, status: int = 200) -> Response:
    if body is None:
        return _refuse(404, "there is no such file")
    kind = _KINDS[name[name.rindex(".") :]]
    return Response(body, status, media_type=kind, headers={"cache-control": "no-cache"})
