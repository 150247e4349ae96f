import { dropIncoming } from './bundle-receive.ts'
import { listTips } from './repository.ts'
import { runGit } from './run.ts'

/**
 * Keeps a host's clone small: lets go of received commits that a branch holds by now and lets git pack what has gathered
 * (`gc --auto`: nothing younger than two weeks is thrown away). Safe beside running tasks; may take minutes when it packs.
 */
export async function tidyClone({
  repoPath,
  signal,
}: {
  repoPath: string
  signal?: AbortSignal | undefined
}): Promise<{ droppedRefs: number }> {
  const incoming = await listTips({ cwd: repoPath, prefix: 'refs/handoff/incoming/', limit: 10_000, signal })
  const loose = new Set<string>()
  if (incoming.length > 0) {
    const args = ['rev-list', '--stdin', '--not', '--branches']
    const input = incoming.map(({ sha }) => `${sha}\n`).join('')
    const { stdout } = await runGit({ cwd: repoPath, signal, args, input, maxBytes: 256 * 1024 ** 2 })
    for (const sha of stdout.split('\n')) loose.add(sha)
  }
  const held = incoming.filter(({ sha }) => !loose.has(sha))
  for (const { sha } of held) await dropIncoming({ repoPath, commit: sha, signal })
  const settings = ['-c', 'gc.auto=6700', '-c', 'gc.autoPackLimit=50', '-c', 'gc.autoDetach=false']
  await runGit({
    cwd: repoPath,
    signal,
    args: [...settings, 'gc', '--auto', '--quiet'],
    timeoutMs: 60 * 60_000,
  })
  return { droppedRefs: held.length }
}
