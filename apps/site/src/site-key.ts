import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { join } from 'node:path'
import { writeFileAtomic } from './atomic-file.ts'
import type { Log } from './log.ts'
import { readFileIfExists } from './read-file.ts'

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

export type SiteKey = {
  /** A signature of the text for one purpose (HMAC-SHA-256, base64url). */
  sign(purpose: string, text: string): string
  /** True for a valid signature of the text for this purpose. */
  verify(purpose: string, text: string, signature: string): boolean
  /** Encrypts and authenticates a text for one purpose (AES-256-GCM). */
  seal(purpose: string, text: string): string
  /**
   * The sealed text; null when it was changed, or sealed with another key or for another purpose.
   */
  open(purpose: string, sealed: string): string | null
}

const createSiteKey = (secret: Buffer): SiteKey => {
  const derive = (use: string, purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `${use} ${purpose}`, keyBytes))

  const sign = (purpose: string, text: string) =>
    createHmac('sha256', derive('sign', purpose)).update(text).digest('base64url')

  return {
    sign,
    verify(purpose, text, signature) {
      const [expected, actual] = [Buffer.from(sign(purpose, text)), Buffer.from(signature)]
      return expected.length === actual.length && timingSafeEqual(expected, actual)
    },
    seal(purpose, text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', derive('seal', purpose), nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(purpose, sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < nonceBytes + tagBytes) return null
      const nonce = bytes.subarray(0, nonceBytes)
      const decipher = createDecipheriv('aes-256-gcm', derive('seal', purpose), nonce, {
        authTagLength: tagBytes,
      })
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      const body = decipher.update(bytes.subarray(nonceBytes + tagBytes))
      try {
        return Buffer.concat([body, decipher.final()]).toString('utf8')
      } catch {
        return null // The tag does not match: Node throws an error without a code.
      }
    },
  }
}

const load = async (path: string, log: Log): Promise<SiteKey> => {
  const text = await readFileIfExists(path)
  const stored = Buffer.from(text?.trim() ?? '', 'base64url')
  if (stored.length === keyBytes) return createSiteKey(stored)
  if (text !== null) log.error({}, 'The key was damaged; all users have to sign in again')
  const secret = randomBytes(keyBytes)
  await writeFileAtomic(path, `${secret.toString('base64url')}\n`)
  return createSiteKey(secret)
}

/**
 * The site's secret key, stored in its data folder and created on first use. The promise rejects
 * when the key can be neither read nor written.
 */
export const openSiteKey = (folder: string, log: Log): (() => Promise<SiteKey>) => {
  let opening: Promise<SiteKey> | null = null
  return () => {
    opening ??= load(join(folder, 'site.key'), log).catch((error: unknown) => {
      opening = null
      throw error
    })
    return opening
  }
}
