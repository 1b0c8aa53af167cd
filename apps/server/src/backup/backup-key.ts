import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption'
import { BackupError } from './backup-error.ts'

/** A new pair of keys: the recipient encrypts backups, the identity opens them. */
export async function createKeyPair(): Promise<{ recipient: string; identity: string }> {
  const identity = await generateIdentity()
  return { identity, recipient: await identityToRecipient(identity) }
}

const isIdentity = (key: string) => key.startsWith('AGE-SECRET-KEY-')

/**
 * Encrypts for recipients, or for the recipients of identities (https://age-encryption.org/v1):
 * each of them can open it.
 */
export async function createEncrypter(...keys: string[]): Promise<Encrypter> {
  const encrypter = new Encrypter()
  try {
    for (const key of keys)
      encrypter.addRecipient(isIdentity(key) ? await identityToRecipient(key) : key)
  } catch (cause) {
    throw new BackupError('BACKUP_KEY is not a complete age key: a character is wrong or missing', {
      cause,
    })
  }
  return encrypter
}

export function createDecrypter(key: string): Decrypter {
  if (!isIdentity(key))
    throw new BackupError(
      'BACKUP_KEY can only encrypt: opening a backup needs its other half, AGE-SECRET-KEY-1…',
    )
  const decrypter = new Decrypter()
  try {
    decrypter.addIdentity(key)
  } catch (cause) {
    throw new BackupError('BACKUP_KEY is not a complete age key: a character is wrong or missing', {
      cause,
    })
  }
  return decrypter
}
