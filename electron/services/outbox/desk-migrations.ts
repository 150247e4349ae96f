/** One step of the schema of desk.db. Never edited after a release: a change is a new step. */
export interface DeskMigration {
  /** The `user_version` of a database that has taken this step. */
  version: number
  sql: string
}

/** Every step, oldest first, numbered from 1 without a gap. */
export const deskMigrations: readonly DeskMigration[] = [
  {
    version: 1,
    sql: `
-- Answers and instructions of the person. A finished one stays for the record until newer ones push it out.
CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  host TEXT NOT NULL,
  -- The machine that the host was then.
  host_id TEXT,
  task_id TEXT NOT NULL,
  ticket_id TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('answer', 'continue')),
  -- Chosen once, so that the host carries it out once however often it is sent.
  request_id TEXT NOT NULL UNIQUE,
  answer TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'sending', 'failed', 'finished')),
  attempts INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  -- Of a finished one: applied, already_answered, expired, refused, discarded or replaced.
  outcome TEXT,
  finished_at INTEGER
);
CREATE INDEX outbox_pending ON outbox (seq) WHERE finished_at IS NULL;
CREATE INDEX outbox_finished ON outbox (finished_at, seq) WHERE finished_at IS NOT NULL;
`,
  },
  {
    version: 2,
    sql: `
-- Digest of what the answer is an answer to; when it was first sent.
ALTER TABLE outbox ADD COLUMN seen TEXT;
ALTER TABLE outbox ADD COLUMN tried_at INTEGER;
`,
  },
  {
    version: 3,
    sql: `
-- Which desk of this home is sending it, and since when (ms that the machine had run by then): two of them never send the same entry at the same time.
ALTER TABLE outbox ADD COLUMN claimed_by TEXT;
ALTER TABLE outbox ADD COLUMN claimed_at INTEGER;
`,
  },
]
