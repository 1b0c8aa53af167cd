import { day } from '@slipway/contract/limits'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Context, Tx } from '../../context.ts'
import * as store from './login-provider.store.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'write'>

/** ECDSA on P-256 with SHA-256 (RFC 7518 §3.4). */
export const algorithm = 'ES256'
/** A key signs for that long. */
const lifetime = 30 * day
/** And is published for that long, well after the last ID token that it signed has ended. */
const published = 37 * day

async function makeKey(ctx: Ctx, tx: Tx) {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const jwk = await exportJWK(privateKey)
  const key = {
    kid: await calculateJwkThumbprint(jwk),
    privateKey: jwk,
    createdAt: ctx.clock.now(),
  }
  await store.insertKey(tx, key)
  return key
}

/**
 * Makes a new key when the newest is older than 30 days, or there is none, and removes those that
 * nobody needs any more. Of many servers at once one makes the key.
 */
export const rotate = (ctx: Ctx) =>
  ctx.write(async (tx) => {
    await store.lockKeys(tx)
    const now = ctx.clock.now().getTime()
    const [newest] = await store.listKeys(tx)
    const current =
      newest && now - newest.createdAt.getTime() < lifetime ? newest : await makeKey(ctx, tx)
    await store.removeKeysBefore(tx, new Date(now - published))
    return current
  })

/** The key to sign with at this moment. */
export async function signingKey(ctx: Ctx) {
  const [newest] = await store.listKeys(ctx.db)
  const fresh = newest && ctx.clock.now().getTime() - newest.createdAt.getTime() < lifetime
  const { kid, privateKey } = fresh ? newest : await rotate(ctx)
  return { kid, key: await importJWK(privateKey, algorithm) }
}

/** The private member `d` never leaves (RFC 7518 §6.2.2). */
const publicPart = ({ kty, crv, x, y }: JWK): JWK => ({ kty, crv, x, y })

/** The public keys, as a JWK set (RFC 7517 §5). */
export async function publicKeys(ctx: Ctx): Promise<{ keys: JWK[] }> {
  await signingKey(ctx)
  const keys = await store.listKeys(ctx.db)
  return {
    keys: keys.map(({ kid, privateKey }) => ({
      ...publicPart(privateKey),
      kid,
      use: 'sig',
      alg: algorithm,
    })),
  }
}
