import { safeStorage } from 'electron'
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { readDispensable, writePrivateFile } from '../../shared/node/private-file.ts'
import type { SecretBox } from '../services/hosts/types.ts'
import type { ShellLog } from './log.ts'

const storedSchema = z.object({
  v: z.literal(1),
  name: z.string().max(400),
  sealed: z.enum(['system', 'no']),
  /** Base64 of what the system's encryption made, or of the secret itself. */
  data: z.string().max(64 * 1024),
})

/** A box of secrets that can say how well it keeps them. */
export interface SystemSecretBox extends SecretBox {
  /** `system`: encrypted with a key of the system's key store. `files`: only the file's permissions (0600) protect them. */
  protection(): 'system' | 'files'
}

/**
 * Secrets in files of a folder, one each, encrypted by `safeStorage`. Where the system has no key store the files hold the
 * secret itself, readable by this user only, and `protection` says so. What can no longer be decrypted (another key store,
 * a copied home) counts as not there.
 */
export function createSecretBox({ folder, log }: { folder: string; log: ShellLog }): SystemSecretBox {
  const fileOf = (name: string): string =>
    path.join(folder, `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.json`)

  function unseal(stored: z.output<typeof storedSchema>): string | undefined {
    const bytes = Buffer.from(stored.data, 'base64')
    if (stored.sealed === 'no') return bytes.toString('utf8')
    try {
      return safeStorage.decryptString(bytes)
    } catch (error) {
      // safeStorage throws plain errors that say nothing; whatever it was, the secret has to be given again.
      log.warn({ name: stored.name, why: String(error) }, 'a secret could not be decrypted')
      return undefined
    }
  }

  if (protection() === 'files')
    log.warn({}, 'no key store of the system was found; secrets are kept in 0600 files')
  return {
    protection,
    get(name) {
      const stored = readDispensable(fileOf(name), storedSchema)
      return stored?.name === name ? unseal(stored) : undefined
    },
    set(name, secret) {
      const isSealed = protection() === 'system'
      const data = isSealed ? safeStorage.encryptString(secret) : Buffer.from(secret, 'utf8')
      const stored = { v: 1, name, sealed: isSealed ? 'system' : 'no', data: data.toString('base64') }
      writePrivateFile(fileOf(name), JSON.stringify(stored))
    },
    remove: (name) => rmSync(fileOf(name), { force: true }),
  }
}

/** `basic_text` is Chromium's word for encryption with a password that everybody knows. */
function protection(): 'system' | 'files' {
  if (!safeStorage.isEncryptionAvailable()) return 'files'
  return process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text'
    ? 'files'
    : 'system'
}
