import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempDirForTest } from '../../tests/support/temp.ts'
import { readTail } from './file-tail.ts'

it('reads the end of a file, and nothing when there is none', async () => {
  const path = join(await tempDirForTest(), 'x')
  expect(await readTail(path, 10)).toBe('')
  await appendFile(path, 'a'.repeat(100) + 'the end')
  expect(await readTail(path, 7)).toBe('the end')
  expect(await readTail(path, 1_000)).toHaveLength(107)
})
