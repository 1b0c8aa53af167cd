import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { changeEnvironment } from '@slipway/contract/environment'
import { eq, sql } from 'drizzle-orm'
import { exportJWK, generateKeyPair } from 'jose'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SettingError } from '../../env/setting-error.ts'
import { newKey } from '../../sealing/keyring.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { projectVariables } from '../environment/environment.schema.ts'
import { valuesOf } from '../environment/environment.service.ts'
import { signingKey } from '../login-provider/login-provider.keys.ts'
import { rsaSigningKeys, signingKeys } from '../login-provider/login-provider.schema.ts'
import { publicKeys } from '../login-provider/login-provider.service.ts'
import { cardOf, tokenOf } from '../payment-methods/payment-methods.fixture.ts'
import { paymentMethods } from '../payment-methods/payment-methods.schema.ts'
import { clientSecret } from '../site-clients/site-clients.service.ts'
import { rotateKeys } from './secrets.keys.ts'
import { sealingKeys, secrets } from './secrets.schema.ts'
import { sealPlainValues } from './secrets.service.ts'

let world: World
beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

const keyFile = () => join(world.env.DATA_DIR, 'keys', 'sealing-keys')
const keyTexts = () =>
  readFileSync(keyFile(), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))

const registeredKeys = async () =>
  (await world.ctx.db.select().from(sealingKeys)).map(({ id }) => id)

/** Every stored value of the tables with secrets, as text. */
async function storedText() {
  const tables = [secrets, signingKeys, rsaSigningKeys, paymentMethods, projectVariables]
  const rows = await Promise.all(tables.map((table) => world.ctx.db.select().from(table)))
  return JSON.stringify(rows)
}

/** A card, a signing key, a client secret and a variable: what a service stores as secrets. */
async function createSecrets() {
  const user = await world.user()
  const card = await cardOf(user)
  const project = await world.project({ teamId: user.teamId })
  const set = { API_KEY: 'a variable of a site' }
  await user.call(changeEnvironment, { params: { id: project.id }, body: { set } })
  const read = async (of: Pick<World, 'ctx'> = world) => ({
    token: await tokenOf(of, card.id),
    clientSecret: await clientSecret(of.ctx, project.id),
    variables: await valuesOf(of.ctx, project.id),
    kid: (await signingKey(of.ctx, 'ES256')).kid,
    rsaKid: (await signingKey(of.ctx, 'RS256')).kid,
    published: await publicKeys(of.ctx),
  })
  return { user, card, read, values: await read() }
}

/** The ids of the keys that stored values are sealed with. */
async function usedKeys() {
  const { rows } = await world.ctx.db.execute<{ sealed: string }>(sql`
    select sealed_value as sealed from secrets
    union all select sealed_token from payment_methods
    union all select sealed from project_variables
    union all select sealed_private_key from signing_keys
    union all select sealed_private_key from rsa_signing_keys`)
  return [...new Set(rows.map(({ sealed }) => sealed.split(':')[1]))]
}

const rotate = (print: (line: string) => void = () => undefined) =>
  rotateKeys({ env: world.env, db: world.ctx.db, columns: world.ctx.sealedColumns, print })

describe('secrets in the database', () => {
  it('are sealed: no table has a key, a token or a secret in plain text', async () => {
    const { values } = await createSecrets()
    const text = await storedText()
    expect(text).not.toContain(values.token)
    expect(text).not.toContain('a variable of a site')
    expect(text).not.toMatch(/"d":|\\"d\\":/)
    expect(await world.ctx.db.$count(secrets, sql`value is not null`)).toBe(0)
    expect(await usedKeys()).toEqual(await registeredKeys())
    expect(world.logged.join('')).not.toContain(keyTexts()[0])
  })

  it('are read by another server that has the key', async () => {
    const { values, read } = await createSecrets()
    expect(await read(await world.anotherApp())).toEqual(values)
  })

  it('are read with keys from a variable', async () => {
    const { values, read } = await createSecrets()
    const SEALING_KEYS = [newKey().text, ...keyTexts()]
    rmSync(keyFile())
    expect(await read(await world.anotherApp({ SEALING_KEYS }))).toEqual(values)
    expect(existsSync(keyFile())).toBe(false)
  })

  it('stop a server that lacks their key, and that server creates no key', async () => {
    const [id] = await registeredKeys()
    rmSync(keyFile())
    const error = await world.anotherApp().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SettingError)
    expect(String(error)).toContain(
      `DATA_DIR (${keyFile()}) must have the key ${id} that the secrets in the database are sealed with, but does not exist`,
    )
    expect(existsSync(keyFile())).toBe(false)
    const otherKey = newKey()
    await expect(world.anotherApp({ SEALING_KEYS: [otherKey.text] })).rejects.toThrow(
      `SEALING_KEYS must have the key ${id} that the secrets in the database are sealed with, but has only ${otherKey.id}`,
    )
    expect(await registeredKeys()).toEqual([id])
  })
})

describe('secrets that version 0.1.0 stored in plain text', () => {
  /** Stores them as version 0.1.0 did, and returns their values. */
  async function storePlainSecrets() {
    const { user, card, read } = await createSecrets()
    const { db } = world.ctx
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const jwk = await exportJWK(privateKey)
    const value = Buffer.alloc(32, 7)
    await db.update(secrets).set({ value, sealedValue: null })
    await db.update(signingKeys).set({ privateKey: jwk, sealedPrivateKey: null })
    await db
      .update(paymentMethods)
      .set({ token: 'plain-token', sealedToken: null })
      .where(eq(paymentMethods.id, card.id))
    const app = await world.anotherApp()
    return { app, user, read: () => read(app), values: await read(app), x: jwk.x }
  }

  const countPlain = async () =>
    (await world.ctx.db.$count(secrets, sql`value is not null`)) +
    (await world.ctx.db.$count(signingKeys, sql`private_key is not null`)) +
    (await world.ctx.db.$count(paymentMethods, sql`token is not null`))

  it('are read, then sealed, and keep their values', async () => {
    const { values, read, x } = await storePlainSecrets()
    expect(values.token).toBe('plain-token')
    expect(values.published.keys).toContainEqual(expect.objectContaining({ alg: 'ES256', x }))
    await sealPlainValues(world.ctx)
    expect(await countPlain()).toBe(0)
    expect(await read()).toEqual(values)
    expect(await storedText()).not.toContain('plain-token')
  })

  it('are sealed by the next run when one is killed', async () => {
    const { values, read } = await storePlainSecrets()
    const { sealing } = world.ctx
    const killed = sealPlainValues({
      ...world.ctx,
      sealing: {
        ...sealing,
        seal(context, plaintext) {
          if (context.startsWith('secrets')) throw new Error('killed')
          return sealing.seal(context, plaintext)
        },
      },
    })
    await expect(killed).rejects.toThrow('killed')
    expect(await countPlain()).toBeGreaterThan(0)
    await sealPlainValues(world.ctx)
    expect(await countPlain()).toBe(0)
    expect(await read()).toEqual(values)
  })

  it('stay readable for a server of that version until it ends', async () => {
    await storePlainSecrets()
    const before = await countPlain()
    const older = new pg.Client({ ...world.database.options, application_name: 'slipway' })
    await older.connect()
    await sealPlainValues(world.ctx).finally(() => older.end())
    expect(await countPlain()).toBe(before)
    await expect
      .poll(async () => {
        await sealPlainValues(world.ctx)
        return countPlain()
      })
      .toBe(0)
  })
})

describe('the rotation of the keys', () => {
  it('seals every secret with a new key and removes the former one, while the server runs', async () => {
    const { user, values, read } = await createSecrets()
    const [formerKey] = await registeredKeys()
    const formerText = keyTexts()[0]
    const added: Promise<unknown>[] = []
    await rotate((line) => {
      if (line.includes('seals from now on')) added.push(cardOf(user))
    })
    await Promise.all(added)
    expect(keyTexts()).toHaveLength(1)
    expect(keyTexts()).not.toContain(formerText)
    expect(await registeredKeys()).not.toContain(formerKey)
    expect(await usedKeys()).toEqual(await registeredKeys())
    expect(await read()).toEqual(values)
    expect(await read(await world.anotherApp())).toEqual(values)
  })

  it('seals more values than one batch has', async () => {
    const { card } = await createSecrets()
    await world.ctx.db.execute(sql`
      insert into secrets (name, value, created_at)
      select 'many ' || n, '\\x01', now() from generate_series(1, 450) n`)
    await sealPlainValues(world.ctx)
    await rotate()
    expect(await usedKeys()).toEqual(await registeredKeys())
    expect(await tokenOf(world, card.id)).toBeTruthy()
  })

  it('waits for a transaction that sealed a value with the former key', async () => {
    const { card, values } = await createSecrets()
    const lines: string[] = []
    let rotation: Promise<void> | undefined
    await world.ctx.write(async (tx) => {
      await tx.execute(sql`select 1`)
      const sealedToken = world.ctx.sealing.seal(`payment-methods.token ${card.id}`, values.token)
      const resealed = Promise.withResolvers<void>()
      rotation = rotate((line) => {
        lines.push(line)
        if (line.includes('payment-methods.token')) resealed.resolve()
      })
      await resealed.promise
      await tx.update(paymentMethods).set({ sealedToken }).where(eq(paymentMethods.id, card.id))
    })
    await rotation
    expect(lines.filter((line) => line.includes('payment-methods.token'))).toHaveLength(2)
    expect(await usedKeys()).toEqual(await registeredKeys())
    expect(await tokenOf(world, card.id)).toBe(values.token)
  })

  it('continues after a kill without another key', async () => {
    const { values, read } = await createSecrets()
    const killed = rotate((line) => {
      if (line.includes('Sealed')) throw new Error('killed')
    })
    await expect(killed).rejects.toThrow('killed')
    expect(keyTexts()).toHaveLength(2)
    expect(await read(await world.anotherApp())).toEqual(values)
    const [newest] = keyTexts()
    await rotate()
    expect(keyTexts()).toEqual([newest])
    expect(await usedKeys()).toEqual(await registeredKeys())
  })

  it('is rejected for keys in a variable, and without a key that the database needs', async () => {
    await createSecrets()
    const { ctx, env } = world
    const options = { db: ctx.db, columns: ctx.sealedColumns, print: () => undefined }
    const variable = { ...env, SEALING_KEYS: keyTexts() }
    await expect(rotateKeys({ ...options, env: variable })).rejects.toThrow('SEALING_KEYS must be')
    rmSync(keyFile())
    await expect(rotateKeys({ ...options, env })).rejects.toThrow('but does not exist')
    expect(existsSync(keyFile())).toBe(false)
  })
})
