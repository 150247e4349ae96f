import path from 'node:path'
import { receiveBundle } from '../../shared/node/git/bundle-receive.ts'
import { openHostClone } from '../../shared/node/git/clones.ts'
import { normaliseRemoteUrl } from '../../shared/node/git/remote-url.ts'
import { listTips } from '../../shared/node/git/repository.ts'
import { commitsPresent } from '../../shared/node/git/revision.ts'
import type { SomeHandlers } from '../server/call-context.ts'
import type { Uploads } from '../server/uploads.ts'

type RepoCalls = 'repo.locate' | 'repo.receive'

/** Newest branch tips are enough to find common ground; more would only make the request larger. */
const MAX_HAVES = 1_000

/** Calls that bring code to this host. */
export function createRepoHandlers({
  home,
  uploads,
}: {
  home: string
  uploads: Uploads
}): SomeHandlers<RepoCalls> {
  return {
    'repo.locate': async ({ name, roots, remotes, want }, { signal }) => {
      const urls = [...new Set(remotes.map(({ url }) => normaliseRemoteUrl(url)))].sort()
      const identity = { roots: [...roots].sort(), remotes: urls }
      const clone = await openHostClone({
        home,
        identity,
        name,
        remotes,
        // The length of an object id tells the format.
        objectFormat: want.length === 64 ? 'sha256' : 'sha1',
        signal,
      })
      const [present, tips] = await Promise.all([
        commitsPresent({ cwd: clone.path, shas: [want] }),
        listTips({ cwd: clone.path, limit: MAX_HAVES, signal }),
      ])
      return {
        key: clone.key,
        hasWanted: present.includes(want),
        haves: [...new Set(tips.map((tip) => tip.sha))].filter((sha) => sha.length === want.length),
      }
    },
    'repo.receive': async ({ key, uploadId, commit }, { actor, signal }) => {
      const bundlePath = uploads.take(uploadId, actor.clientId)
      try {
        await receiveBundle({ repoPath: path.join(home, 'repos', `${key}.git`), bundlePath, commit, signal })
      } finally {
        await uploads.discard(uploadId)
      }
      return {}
    },
  }
}
