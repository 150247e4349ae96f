import type { Migration } from '../migrate.ts'

/**
 * The first schema. Foreign keys to a task's id are deferred, so that its rows may be written in any order.
 * Plans lie apart because they are large and never change, while the other rows of a task change with every fact.
 */
export const initial: Migration = {
  version: 1,
  name: 'initial',
  sql: `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE tasks (
  -- Stands for the id where there are many rows per task: indexes of events are a fourth of the size.
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL,
  over INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  -- 1 when the old events of an ended task have been dropped.
  trimmed INTEGER NOT NULL DEFAULT 0,
  task TEXT NOT NULL
);
CREATE INDEX tasks_state ON tasks (state, created_at, id);
CREATE INDEX tasks_open ON tasks (created_at, id) WHERE over = 0;
CREATE INDEX tasks_trimmable ON tasks (ended_at) WHERE over = 1 AND trimmed = 0;

CREATE TABLE plans (
  task_id TEXT PRIMARY KEY REFERENCES tasks (id) DEFERRABLE INITIALLY DEFERRED,
  plan TEXT NOT NULL
);
CREATE TABLE task_private (
  task_id TEXT PRIMARY KEY REFERENCES tasks (id) DEFERRABLE INITIALLY DEFERRED,
  model TEXT,
  keep_worktree INTEGER NOT NULL,
  adapter_state TEXT NOT NULL,
  cleaned INTEGER NOT NULL,
  stop_requested INTEGER NOT NULL
);
CREATE INDEX task_private_uncleaned ON task_private (task_id) WHERE cleaned = 0;
CREATE TABLE rounds (
  task_id TEXT NOT NULL REFERENCES tasks (id) DEFERRABLE INITIALLY DEFERRED,
  round INTEGER NOT NULL,
  from_commit TEXT NOT NULL,
  to_commit TEXT NOT NULL,
  summary TEXT NOT NULL,
  PRIMARY KEY (task_id, round)
) WITHOUT ROWID;

CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  task INTEGER NOT NULL REFERENCES tasks (number),
  type TEXT NOT NULL,
  wake INTEGER NOT NULL,
  -- The executor's own name of the fact: the same fact read twice is stored once.
  key TEXT,
  json TEXT NOT NULL
);
CREATE INDEX events_task ON events (task, seq);
CREATE UNIQUE INDEX events_key ON events (task, key) WHERE key IS NOT NULL;
CREATE INDEX events_wake ON events (seq) WHERE wake = 1;
CREATE INDEX events_wake_task ON events (task, seq) WHERE wake = 1;

CREATE TABLE tickets (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL REFERENCES tasks (id) DEFERRABLE INITIALLY DEFERRED,
  state TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  ticket TEXT NOT NULL
);
CREATE INDEX tickets_task ON tickets (task_id, opened_at, id);
CREATE INDEX tickets_all ON tickets (opened_at, id);
CREATE INDEX tickets_open ON tickets (opened_at, id) WHERE state = 'open';
CREATE INDEX tickets_open_task ON tickets (task_id, opened_at, id) WHERE state = 'open';

CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id TEXT NOT NULL REFERENCES tasks (id) DEFERRABLE INITIALLY DEFERRED,
  kind TEXT NOT NULL,
  ticket_id TEXT,
  payload TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER NOT NULL,
  delivered_at INTEGER,
  dropped INTEGER NOT NULL DEFAULT 0,
  last_error TEXT
);
CREATE INDEX deliveries_pending ON deliveries (id) WHERE delivered_at IS NULL AND dropped = 0;
CREATE INDEX deliveries_pending_task ON deliveries (task_id, id) WHERE delivered_at IS NULL AND dropped = 0;

-- task_id '' is the consumer's cursor over all tasks.
CREATE TABLE cursors (
  consumer TEXT NOT NULL,
  task_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (consumer, task_id)
) WITHOUT ROWID;

CREATE TABLE requests (
  client_id TEXT NOT NULL,
  request_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  result TEXT NOT NULL,
  PRIMARY KEY (client_id, request_id)
);

CREATE TABLE tokens (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
);

CREATE TABLE rules (
  id TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  target TEXT NOT NULL,
  action TEXT NOT NULL,
  pattern TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  hits INTEGER NOT NULL,
  last_hit_at INTEGER,
  UNIQUE (scope, target, action, pattern)
);

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  task_id TEXT,
  ticket_id TEXT,
  decision TEXT NOT NULL,
  by_actor TEXT NOT NULL,
  rule_id TEXT,
  text TEXT NOT NULL,
  detail TEXT
);
CREATE INDEX audit_task ON audit (task_id, id);
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is only ever added to'); END;
-- REPLACE deletes without asking the trigger below.
CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'the audit log is only ever added to'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is only ever added to'); END;
`,
}
