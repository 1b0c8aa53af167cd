import { day } from '@slipway/contract/limits'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Context, Tx } from '../../context.ts'
import * as store from './login-provider.store.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'write'>

/** ECDSA on P-256 with SHA-256 (RFC 7518 §3.4). */
export const algorithm = 'ES256'
/** How long after a key the next one is made. */
const lifetime = 30 * day
/**
 * A key is published for a day before it signs: whoever keeps the published keys, for the five minutes
 * that we say or for longer, knows it by then, also where a server's clock is an hour off.
 */
const announced = day
/** And for a day after the next one signs: the last ID token it signed ends an hour after that. */
const retained = day

type Key = { kid: string; privateKey: JWK; createdAt: Date }

const isOlder = (key: Key, age: number, now: Date) => key.createdAt.getTime() + age <= now.getTime()

/** Of the keys, newest first: the newest that is published long enough, or else the first one ever. */
const signerOf = (keys: readonly Key[], now: Date) =>
  keys.find((key) => isOlder(key, announced, now)) ?? keys.at(-1)

async function makeKey(tx: Tx, now: Date): Promise<Key> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const jwk = await exportJWK(privateKey)
  const key = { kid: await calculateJwkThumbprint(jwk), privateKey: jwk, createdAt: now }
  await store.insertKey(tx, key)
  return key
}

/**
 * Makes a new key when the newest is older than 30 days, or there is none, and removes those that
 * nobody needs any more. Of many servers at once one makes the key. Gives the keys, newest first.
 */
export const rotate = (ctx: Ctx): Promise<Key[]> =>
  ctx.write(async (tx) => {
    await store.lockKeys(tx)
    const now = ctx.clock.now()
    const stored = await store.listKeys(tx)
    const [newest] = stored
    const keys =
      newest && !isOlder(newest, lifetime, now) ? stored : [await makeKey(tx, now), ...stored]
    const settled = keys.find((key) => isOlder(key, announced + retained, now))
    if (!settled) return keys
    await store.removeKeysBefore(tx, settled.createdAt)
    return keys.filter((key) => key.createdAt >= settled.createdAt)
  })

/** The keys, newest first, never empty. */
async function currentKeys(ctx: Ctx): Promise<Key[]> {
  const keys = await store.listKeys(ctx.db)
  const [newest] = keys
  return newest && !isOlder(newest, lifetime, ctx.clock.now()) ? keys : rotate(ctx)
}

/** The key to sign with at this moment. */
export async function signingKey(ctx: Ctx) {
  const signer = signerOf(await currentKeys(ctx), ctx.clock.now())
  if (!signer) throw new Error('there is no key to sign with')
  return { kid: signer.kid, key: await importJWK(signer.privateKey, algorithm) }
}

/** The private member `d` never leaves (RFC 7518 §6.2.2). */
const publicPart = ({ kty, crv, x, y }: JWK): JWK => ({ kty, crv, x, y })

/** The public keys, as a JWK set (RFC 7517 §5): those that signed, that sign and that will. */
export async function publicKeys(ctx: Ctx): Promise<{ keys: JWK[] }> {
  const keys = await currentKeys(ctx)
  return {
    keys: keys.map(({ kid, privateKey }) => ({
      ...publicPart(privateKey),
      kid,
      use: 'sig',
      alg: algorithm,
    })),
  }
}
