import { beforeEach, expect, it } from 'vitest'
import { createHostStore } from '../../../shared/node/hosts/host-store.ts'
import { tempDirForTest } from '../../../tests/support/temp.ts'
import { memorySecrets } from '../../../tests/support/host-service.ts'
import { createHostTokens, type HostTokens } from './host-tokens.ts'

let tokens: HostTokens
beforeEach(async () => {
  const store = createHostStore(await tempDirForTest())
  store.add({ name: 'lab', address: 'ws://127.0.0.1:1', token: 'of-the-command-line' })
  tokens = createHostTokens({ secrets: memorySecrets(), store })
})

it('shows what the person typed in before what pairing made before what the command line keeps', () => {
  expect(tokens.of('lab', undefined)).toEqual({ from: 'command', token: 'of-the-command-line' })
  tokens.keepPaired('id-1', 'made')
  expect(tokens.of('lab', 'id-1')).toEqual({ from: 'pairing', token: 'made' })
  expect(tokens.of('lab', 'id-2')).toMatchObject({ from: 'command' })
  tokens.keepGiven('lab', 'typed')
  expect(tokens.of('lab', 'id-1')).toEqual({ from: 'person', token: 'typed' })
})

it('forgets a token everywhere when the person says so', () => {
  tokens.keepGiven('lab', 'typed')
  tokens.keepGiven('lab', undefined)
  expect(tokens.of('lab', undefined)).toBeUndefined()
})
