// The current jobs and their changes.  All pages of a browser share one stream: the page that holds a lock reads it and passes it on.
// @ts-check

const NAME = "tablero events"; // of the lock, and of the channel between pages
/** @type {Map<string, any>} */
export const jobs = new Map();
/** @type {Set<() => void>} */
const listeners = new Set();
export let connected = true;
let reading = false; // whether this page has the stream
/** @type {(() => void) | null} */
let release = null; // stops reading the stream

/** Call a function now and after every change. @param {() => void} listener */
export function whenever(listener) {
  listeners.add(listener);
  listener();
}

/** What happened: `all` jobs, a `job`, one that is `gone`, or whether the stream is `connected`. @param {string} kind @param {any} value */
function happened(kind, value) {
  if (kind === "all") {
    jobs.clear();
    for (const job of value) jobs.set(job.name, job);
    connected = true;
  } else if (kind === "job") jobs.set(value.name, value);
  else if (kind === "gone") jobs.delete(value.name);
  else connected = value;
  for (const listener of listeners) listener();
}

/** Read the stream until `release` is called. @param {(kind: string, value: any) => void} pass @returns {() => void} */
function read(pass) {
  /** @type {EventSource} */
  let source;
  /** @type {number | undefined} */
  let again;
  const begin = () => {
    source = new EventSource("/api/events");
    source.addEventListener("all", (event) => pass("all", JSON.parse(event.data).jobs));
    source.addEventListener("job", (event) => pass("job", JSON.parse(event.data)));
    source.addEventListener("gone", (event) => pass("gone", JSON.parse(event.data)));
    source.addEventListener("open", () => pass("connected", true));
    source.addEventListener("error", () => {
      pass("connected", false);
      if (source.readyState === EventSource.CLOSED) again = setTimeout(begin, 2000);
    });
  };
  begin();
  return () => {
    clearTimeout(again);
    source.close();
  };
}

/** Receive the changes of jobs while the page is visible. */
export function listen() {
  const channel = new BroadcastChannel(NAME);
  channel.addEventListener("message", ({ data: [kind, value] }) => {
    if (kind !== "ask") happened(kind, value);
    else if (reading) channel.postMessage(["all", [...jobs.values()]]);
  });
  const pass = (/** @type {string} */ kind, /** @type {any} */ value) => {
    happened(kind, value);
    channel.postMessage([kind, value]);
  };
  const hold = () =>
    new Promise((/** @type {(value?: any) => void} */ done) => {
      reading = true;
      const close = read(pass);
      release = () => {
        reading = false;
        release = null;
        close();
        done();
      };
    });
  /** @type {AbortController | null} */
  let waiting = null;
  const begin = () => {
    if (waiting || document.visibilityState === "hidden") return;
    const mine = new AbortController();
    waiting = mine;
    channel.postMessage(["ask", null]); // the page that reads the stream knows all jobs
    if (navigator.locks) navigator.locks.request(NAME, { signal: mine.signal }, () => (mine.signal.aborted ? null : hold())).catch(() => {});
    else hold(); // locks need a secure context
  };
  const end = () => {
    waiting?.abort();
    waiting = null;
    release?.();
  };
  addEventListener("pagehide", end);
  addEventListener("pageshow", begin); // also after Back, when the page was kept
  document.addEventListener("visibilitychange", () => (document.visibilityState === "hidden" ? end() : begin()));
  begin();
}
