import { day } from '@slipway/contract/limits'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Context, Tx } from '../../context.ts'
import { privateKeys } from './login-provider.sealed.ts'
import * as store from './login-provider.store.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'sealing' | 'write'>

/** ECDSA on P-256 with SHA-256 (RFC 7518 §3.4). */
export const algorithm = 'ES256'
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

async function createKey(ctx: Ctx, tx: Tx): Promise<Key> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  return store.insertKey(tx, {
    kid,
    sealedPrivateKey: privateKeys.seal(ctx.sealing, kid, JSON.stringify(jwk)),
    createdAt: ctx.clock.now(),
  })
}

function openKey({ sealing }: Ctx, { kid, sealedPrivateKey, privateKey }: Key): JWK {
  const plain = privateKey && JSON.stringify(privateKey)
  return JSON.parse(privateKeys.open(sealing, kid, sealedPrivateKey, plain).toString())
}

/**
 * Creates a key when the newest is 30 days old or missing, and removes keys that are no longer
 * needed. Concurrent servers create one key between them. Returns the keys, newest first.
 */
export const rotate = (ctx: Ctx): Promise<Key[]> =>
  ctx.write(async (tx) => {
    await store.lockKeys(tx)
    const now = ctx.clock.now()
    const stored = await store.listKeys(tx)
    const [newest] = stored
    const keys =
      newest && !isOlder(newest, lifetime, now) ? stored : [await createKey(ctx, tx), ...stored]
    // Every key before this one signed for the last time more than `publishedAfter` ago.
    const oldestNeeded = keys.find((key) => isOlder(key, publishedBefore + publishedAfter, now))
    if (!oldestNeeded) return keys
    await store.removeKeysBefore(tx, oldestNeeded.createdAt)
    return keys.filter((key) => key.createdAt >= oldestNeeded.createdAt)
  })

/** The keys, newest first, never empty. */
async function currentKeys(ctx: Ctx): Promise<Key[]> {
  const keys = await store.listKeys(ctx.db)
  const [newest] = keys
  return newest && !isOlder(newest, lifetime, ctx.clock.now()) ? keys : rotate(ctx)
}

/** The key that signs now. */
export async function signingKey(ctx: Ctx) {
  const signer = signerOf(await currentKeys(ctx), ctx.clock.now())
  if (!signer) throw new Error('there is no key to sign with')
  return { kid: signer.kid, key: await importJWK(openKey(ctx, signer), algorithm) }
}

/** Leaves out the private member `d` (RFC 7518 §6.2.2). */
const publicPart = ({ kty, crv, x, y }: JWK): JWK => ({ kty, crv, x, y })

/** The public keys as a JWK set (RFC 7517 §5): former, current and next. */
export async function publicKeys(ctx: Ctx): Promise<{ keys: JWK[] }> {
  const keys = await currentKeys(ctx)
  return {
    keys: keys.map((key) => ({
      ...publicPart(openKey(ctx, key)),
      kid: key.kid,
      use: 'sig',
      alg: algorithm,
    })),
  }
}
