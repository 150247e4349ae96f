import type { Migration } from '../migrate.ts'

/** Lets old request answers and the deliveries of ended tasks be dropped without a scan. */
export const cleanUpIndexes: Migration = {
  version: 2,
  name: 'clean-up-indexes',
  sql: `
CREATE INDEX requests_at ON requests (at);
CREATE INDEX deliveries_task ON deliveries (task_id);
`,
}
