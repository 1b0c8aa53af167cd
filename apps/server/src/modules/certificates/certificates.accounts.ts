import type { Client } from 'acme-client'
import type { Context } from '../../context.ts'
import { newId } from '../../db/ids.ts'
import * as store from './certificates.accounts.store.ts'
import type { Directory } from './certificates.acme.ts'
import { accountKeys } from './certificates.sealed.ts'

type AccountContext = Pick<Context, 'db' | 'env' | 'clock' | 'sealing' | 'log'>

export type Authority = { account: store.AcmeAccount; directory: Directory; client: Client }

/**
 * Opens our account at a CA and registers it on first use (RFC 8555 §7.3). Concurrent workers use
 * the same key, so the CA creates one account. Throws an `AcmeError`.
 */
export async function openAuthority(ctx: AccountContext, directoryUrl: string): Promise<Authority> {
  const { createClient, readDirectory } = await import('./certificates.acme.ts')
  const account = await findOrCreateAccount(ctx, directoryUrl)
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

/** Registers the account or updates its contact. For a known key the CA returns the account. */
async function register(ctx: AccountContext, { account, client }: Authority) {
  const contact = contactOf(ctx)
  const addresses = contact === null ? [] : [`mailto:${contact}`]
  const hasNothingToUpdate = addresses.length === 0 && account.url === null
  const contactField = hasNothingToUpdate ? {} : { contact: addresses }
  await client.createAccount({ termsOfServiceAgreed: true, ...contactField }).catch((error) => {
    // For an existing account (RFC 8555 §7.3.1), acme-client sends an update too. Without a contact
    // the CA may reject that update; the account is registered all the same.
    if (!hasNothingToUpdate || !isRegistered(client)) throw error
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

/** The CA no longer has the account: the next use registers it again, with the same key. */
export async function removeRegistration(ctx: AccountContext, directory: string) {
  const account = await store.find(ctx.db, directory)
  if (account) await store.update(ctx.db, account, { url: null })
}

/** The account of a directory. A new key is stored before its first use. */
export async function findOrCreateAccount(
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
