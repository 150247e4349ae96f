import type Database from 'better-sqlite3'

/**
 * `user_version` of a cache that this program reads and writes. Any change of the schema, or of what is kept in a column,
 * takes the next number: a cache of another version is not migrated but filled anew by the hosts.
 */
export const CACHE_VERSION = 3

/** Every ticket's id begins with its task's id, so `tickets_by_name` finds the tickets of a task too. */
const schema = `
-- head_mark: eventMark of the event head_seq.
CREATE TABLE hosts (host TEXT PRIMARY KEY, host_id TEXT, head_seq INTEGER, head_mark TEXT) WITHOUT ROWID;

CREATE TABLE tasks (
  id INTEGER PRIMARY KEY,
  host TEXT NOT NULL,
  task_id TEXT NOT NULL,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- A repository on this machine.
  local_repo TEXT,
  -- Lower case; what the text filter looks at.
  search TEXT NOT NULL,
  -- JSON without the summary, which is long and in no list.
  task TEXT NOT NULL,
  summary TEXT
);
CREATE UNIQUE INDEX tasks_by_name ON tasks (host, task_id);
CREATE INDEX tasks_newest ON tasks (created_at DESC, id DESC, host, state);
-- Without the state, which changes often: together with a text it is looked up in the few rows that fit.
CREATE INDEX tasks_search ON tasks (created_at DESC, id DESC, host, search);
CREATE INDEX tasks_by_repo ON tasks (local_repo, created_at) WHERE local_repo IS NOT NULL;

CREATE TABLE tickets (
  id INTEGER PRIMARY KEY,
  host TEXT NOT NULL,
  ticket_id TEXT NOT NULL,
  is_open INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,
  ticket TEXT NOT NULL
);
CREATE UNIQUE INDEX tickets_by_name ON tickets (host, ticket_id);
CREATE INDEX tickets_open ON tickets (host, ticket_id) WHERE is_open = 1;
CREATE INDEX tickets_newest ON tickets (host, opened_at) WHERE is_open = 1;

-- One line per thing that waits. id: twice the row of its ticket, or twice the row of its task and one.
CREATE TABLE inbox (
  id INTEGER PRIMARY KEY,
  host TEXT NOT NULL,
  section INTEGER NOT NULL,
  sort INTEGER NOT NULL,
  -- When the line goes by itself, in ms since the epoch.
  expires INTEGER,
  search TEXT NOT NULL,
  line TEXT NOT NULL
);
CREATE INDEX inbox_order ON inbox (section, sort, host);
CREATE INDEX inbox_expires ON inbox (expires) WHERE expires IS NOT NULL;

-- How many tasks are in a state and lines in a section, kept by the triggers below.
CREATE TABLE counts (host TEXT, what TEXT, n INTEGER NOT NULL, PRIMARY KEY (host, what)) WITHOUT ROWID;
-- Ended tasks that the person has opened since.
CREATE TABLE seen (host TEXT, task_id TEXT, PRIMARY KEY (host, task_id)) WITHOUT ROWID;
-- Tasks that the host has yet to be asked for.
CREATE TABLE wanted (host TEXT, task_id TEXT, asked INTEGER NOT NULL, PRIMARY KEY (host, task_id)) WITHOUT ROWID;

CREATE TRIGGER tasks_added AFTER INSERT ON tasks BEGIN
  INSERT INTO counts VALUES (new.host, new.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER tasks_gone AFTER DELETE ON tasks BEGIN
  UPDATE counts SET n = n - 1 WHERE host = old.host AND what = old.state;
END;
CREATE TRIGGER tasks_moved AFTER UPDATE OF state ON tasks WHEN old.state <> new.state BEGIN
  UPDATE counts SET n = n - 1 WHERE host = old.host AND what = old.state;
  INSERT INTO counts VALUES (new.host, new.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER inbox_added AFTER INSERT ON inbox BEGIN
  INSERT INTO counts VALUES (new.host, new.section, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER inbox_gone AFTER DELETE ON inbox BEGIN
  UPDATE counts SET n = n - 1 WHERE host = old.host AND what = CAST(old.section AS TEXT);
END;
CREATE TRIGGER inbox_moved AFTER UPDATE OF section ON inbox WHEN old.section <> new.section BEGIN
  UPDATE counts SET n = n - 1 WHERE host = old.host AND what = CAST(old.section AS TEXT);
  INSERT INTO counts VALUES (new.host, new.section, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
`

/** Makes the tables in an empty database. */
export function createSchema(db: Database.Database): void {
  db.transaction(() => {
    db.exec(schema)
    db.pragma(`user_version = ${CACHE_VERSION}`)
  })()
}
