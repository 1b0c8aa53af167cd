import { day } from '@slipway/contract/limits'
import { type SigningAlgorithm, signingAlgorithms } from '@slipway/contract/sign-in-clients'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Context, Tx } from '../../context.ts'
import { privateKeys, rsaPrivateKeys } from './login-provider.sealed.ts'
import * as store from './login-provider.store.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'sealing' | 'write'>

/** Age at which a key is replaced, in milliseconds. */
const lifetime = 30 * day
/**
 * A key is published a day before it signs, so that clients that cache the key set know it by then.
 * We allow 5 minutes of caching; the rest covers longer caches and wrong clocks.
 */
const publishedBefore = day
/** A key stays published a day after it last signed; its ID tokens are valid for an hour. */
const publishedAfter = day

type Key = store.SigningKey

const isOlder = (key: Key, age: number, now: Date) => key.createdAt.getTime() + age <= now.getTime()

/** The newest key that has been published long enough, else the oldest. Keys are newest first. */
const signerOf = (keys: readonly Key[], now: Date) =>
  keys.find((key) => isOlder(key, publishedBefore, now)) ?? keys.at(-1)

const sealedKeys = { ES256: privateKeys, RS256: rsaPrivateKeys }

async function createKey(ctx: Ctx, tx: Tx, algorithm: SigningAlgorithm): Promise<Key> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  return store.insertKey(tx, algorithm, {
    kid,
    sealedPrivateKey: sealedKeys[algorithm].seal(ctx.sealing, kid, JSON.stringify(jwk)),
    createdAt: ctx.clock.now(),
  })
}

function openKey({ sealing }: Ctx, algorithm: SigningAlgorithm, key: Key): JWK {
  const plain = key.privateKey && JSON.stringify(key.privateKey)
  const opened = sealedKeys[algorithm].open(sealing, key.kid, key.sealedPrivateKey, plain)
  return JSON.parse(opened.toString())
}

/**
 * Creates a key when the newest is 30 days old or missing, and removes keys that are no longer
 * needed. Concurrent servers create one key between them. Returns the keys, newest first.
 */
export const rotate = (ctx: Ctx, algorithm: SigningAlgorithm): Promise<Key[]> =>
  ctx.write(async (tx) => {
    await store.lockKeys(tx)
    const now = ctx.clock.now()
    const stored = await store.listKeys(tx, algorithm)
    const [newest] = stored
    const keys =
      newest && !isOlder(newest, lifetime, now)
        ? stored
        : [await createKey(ctx, tx, algorithm), ...stored]
    // Every key before this one signed for the last time more than `publishedAfter` ago.
    const oldestNeeded = keys.find((key) => isOlder(key, publishedBefore + publishedAfter, now))
    if (!oldestNeeded) return keys
    await store.removeKeysBefore(tx, algorithm, oldestNeeded.createdAt)
    return keys.filter((key) => key.createdAt >= oldestNeeded.createdAt)
  })

/** The keys, newest first, never empty. */
async function currentKeys(ctx: Ctx, algorithm: SigningAlgorithm): Promise<Key[]> {
  const keys = await store.listKeys(ctx.db, algorithm)
  const [newest] = keys
  return newest && !isOlder(newest, lifetime, ctx.clock.now()) ? keys : rotate(ctx, algorithm)
}

export async function signingKey(ctx: Ctx, algorithm: SigningAlgorithm) {
  const signer = signerOf(await currentKeys(ctx, algorithm), ctx.clock.now())
  if (!signer) throw new Error('there is no key to sign with')
  return { kid: signer.kid, key: await importJWK(openKey(ctx, algorithm, signer), algorithm) }
}

/** Leaves out the private members (RFC 7518 §6.2.2 and §6.3.2). */
const publicPart = ({ kty, crv, x, y, n, e }: JWK): JWK =>
  kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y }

/** The public keys as a JWK set (RFC 7517 §5): former, current and next of each algorithm. */
export async function publicKeys(ctx: Ctx): Promise<{ keys: JWK[] }> {
  const keys: JWK[] = []
  for (const algorithm of signingAlgorithms)
    for (const key of await currentKeys(ctx, algorithm))
      keys.push({
        ...publicPart(openKey(ctx, algorithm, key)),
        kid: key.kid,
        use: 'sig',
        alg: algorithm,
      })
  return { keys }
}
