import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Keyring, SealingKey } from './keyring.ts'

/** Encrypts secrets before they are stored in the database or a backup. */
export type Sealing = {
  /**
   * Encrypts and authenticates. `context` names the place of the value, such as a table, a column
   * and a row: the value cannot be opened with another. Call it in the transaction that stores the
   * value, so that a rotation of the keys finds it.
   */
  seal(context: string, plaintext: string | Buffer): string
  /** Throws for a value of another context, an altered one, and one whose key is missing. */
  open(context: string, sealed: string): Buffer
  /** The start of every value that the current key sealed. */
  currentPrefix(): string
}

// AES-256-GCM with a nonce of 96 random bits (NIST SP 800-38D §8.2.2) and a tag of 128.
const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

const prefixOf = ({ id }: SealingKey) => `v1:${id}:`
const additionalData = (prefix: string, context: string) => Buffer.from(`${prefix}${context}`)

export function createSealing(keyring: Keyring): Sealing {
  return {
    seal(context, plaintext) {
      const key = keyring.current()
      const prefix = prefixOf(key)
      const nonce = randomBytes(nonceBytes)
      const encryption = createCipheriv(cipher, key.secret, nonce, { authTagLength: tagBytes })
      encryption.setAAD(additionalData(prefix, context))
      const content = [nonce, encryption.update(plaintext), encryption.final()]
      return prefix + Buffer.concat([...content, encryption.getAuthTag()]).toString('base64url')
    },

    open(context, sealed) {
      const [, prefix = '', id = '', encoded = ''] = /^(v1:([0-9a-f]+):)(.*)$/.exec(sealed) ?? []
      const key = keyring.find(id)
      if (!key) throw new Error(`the key ${id || '?'} that sealed a secret (${context}) is missing`)
      const content = Buffer.from(encoded, 'base64url')
      const nonce = content.subarray(0, nonceBytes)
      const decryption = createDecipheriv(cipher, key.secret, nonce, { authTagLength: tagBytes })
      decryption.setAAD(additionalData(prefix, context))
      decryption.setAuthTag(content.subarray(-tagBytes))
      const plaintext = decryption.update(content.subarray(nonceBytes, -tagBytes))
      return Buffer.concat([plaintext, decryption.final()])
    },

    currentPrefix: () => prefixOf(keyring.current()),
  }
}
