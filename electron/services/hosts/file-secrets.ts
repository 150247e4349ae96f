import { chmodSync, mkdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { AppError } from '../../../shared/errors.ts'
import { readIfThere, writePrivateFile } from '../../../shared/node/private-file.ts'
import type { SecretBox } from './types.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,99}$/
const MAX_SECRET_LENGTH = 64 * 1024

/**
 * Secrets in files of their own (0600) in a folder for this user only (0700); for a shell without a key store. A name is at most
 * 100 letters, digits and `._:@/-`; another one, and an empty or huge secret, is refused with `bad_request`.
 */
export function createFileSecrets(folder: string): SecretBox {
  // Hex, because some file systems fold letter case and some forbid `:`.
  function fileOf(name: string): string {
    if (!NAME.test(name))
      throw refused('The name of a secret has characters that cannot be used.', 'Give the host another name.')
    return path.join(folder, Buffer.from(name).toString('hex'))
  }

  return {
    get(name) {
      const file = fileOf(name)
      const secret = readIfThere(file)
      if (secret === undefined) return undefined
      keepPrivate(file, 0o600)
      return secret
    },

    set(name, secret) {
      const file = fileOf(name)
      if (secret === '' || secret.length > MAX_SECRET_LENGTH)
        throw refused('A secret is empty or too long to be kept.', 'Paste the token alone, and all of it.')
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      keepPrivate(folder, 0o700)
      writePrivateFile(file, secret)
    },

    remove(name) {
      rmSync(fileOf(name), { force: true })
    },
  }
}

/** A copy or a restore may have loosened it. */
function keepPrivate(file: string, mode: number): void {
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, mode)
}

function refused(message: string, hint: string): AppError {
  return new AppError({ code: 'bad_request', message, hint })
}
