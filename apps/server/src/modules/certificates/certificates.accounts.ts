import type { Client } from 'acme-client'
import type { Context } from '../../context.ts'
import { newId } from '../../db/ids.ts'
import * as store from './certificates.accounts.store.ts'
import type { Directory } from './certificates.acme.ts'
import { accountKeys } from './certificates.sealed.ts'

type AccountContext = Pick<Context, 'db' | 'env' | 'clock' | 'sealing' | 'log'>

export type Authority = { account: store.AcmeAccount; directory: Directory; client: Client }

/**
 * Our account at a CA, created when it is first needed (RFC 8555 §7.3). Two workers at once use the
 * same key, so the CA creates one account. Throws an `AcmeError`.
 */
export async function openAuthority(ctx: AccountContext, directoryUrl: string): Promise<Authority> {
  const { createClient, readDirectory } = await import('./certificates.acme.ts')
  const account = await findAccount(ctx, directoryUrl)
  const directory = await readDirectory(ctx.env, directoryUrl)
  const client = createClient(ctx.env, {
    directoryUrl,
    accountKey: accountKeys.open(ctx.sealing, account.id, account.sealedKey).toString(),
    accountUrl: account.url,
    needsBinding: directory.meta?.externalAccountRequired === true,
  })
  const authority = { account, directory, client }
  if (account.url === null || account.contact !== contactOf(ctx)) await register(ctx, authority)
  return authority
}

const contactOf = ({ env }: AccountContext) => env.ACME_EMAIL ?? null

/** Registers the account, or changes its address. A known key gets its account back. */
async function register(ctx: AccountContext, { account, client }: Authority) {
  const contact = contactOf(ctx)
  const addresses = contact === null ? [] : [`mailto:${contact}`]
  const request = addresses.length > 0 || account.url !== null ? { contact: addresses } : {}
  await client.createAccount({ termsOfServiceAgreed: true, ...request }).catch((error) => {
    // The library updates an account that exists, also when there is nothing to update.
    if ('contact' in request || !isRegistered(client)) throw error
  })
  await store.update(ctx.db, account, { url: client.getAccountUrl(), contact })
  ctx.log.info({ directory: account.directory }, 'the ACME account is registered')
}

const isRegistered = (client: Client) => {
  try {
    return client.getAccountUrl() !== ''
  } catch {
    return false
  }
}

/** Has the next use register the account again, with its key: the CA does not know it any more. */
export async function forgetRegistration(ctx: AccountContext, directory: string) {
  const account = await store.find(ctx.db, directory)
  if (account) await store.update(ctx.db, account, { url: null })
}

/** The stored account of a directory, with a key that is stored before its first use. */
export async function findAccount(
  ctx: AccountContext,
  directory: string,
): Promise<store.AcmeAccount> {
  const existing = await store.find(ctx.db, directory)
  if (existing) return existing
  const { newKey } = await import('./certificates.acme.ts')
  const id = newId<'AcmeAccount'>()
  await store.insert(ctx.db, {
    id,
    directory,
    sealedKey: accountKeys.seal(ctx.sealing, id, await newKey()),
    createdAt: ctx.clock.now(),
  })
  const stored = await store.find(ctx.db, directory)
  if (!stored) throw new Error(`the ACME account of ${directory} was not stored`)
  return stored
}
