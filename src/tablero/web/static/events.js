// The one stream of a page: all jobs as they are, and every change.  The browser reconnects by itself, and is then told what it missed.
// @ts-check

/** @type {Map<string, any>} */
export const jobs = new Map();
/** @type {Set<() => void>} */
const listeners = new Set();
export let connected = true;

/** Call a function now and whenever something has changed. @param {() => void} listener */
export function whenever(listener) {
  listeners.add(listener);
  listener();
}

function tell() {
  for (const listener of listeners) listener();
}

export function listen() {
  const source = new EventSource("/api/events");
  source.addEventListener("all", (event) => {
    jobs.clear();
    for (const job of JSON.parse(event.data).jobs) jobs.set(job.name, job);
    tell();
  });
  source.addEventListener("job", (event) => {
    const job = JSON.parse(event.data);
    jobs.set(job.name, job);
    tell();
  });
  source.addEventListener("gone", (event) => {
    jobs.delete(JSON.parse(event.data).name);
    tell();
  });
  source.addEventListener("open", () => {
    connected = true;
    tell();
  });
  source.addEventListener("error", () => {
    connected = false;
    tell();
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  });
  addEventListener("pagehide", () => source.close());
}
