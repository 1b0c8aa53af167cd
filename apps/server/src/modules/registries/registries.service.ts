import type { InputOf } from '@slipway/contract/endpoint'
import {
  type Registry,
  type RegistryId,
  registryOf,
  type setRegistry,
} from '@slipway/contract/registries'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { TeamId } from '@slipway/contract/teams'
import type { Context, Tx, UserContext } from '../../context.ts'
import { newId } from '../../db/ids.ts'
import type { RegistryCredentials } from '../../engines/hosting/engine.ts'
import { problem } from '../../problem.ts'
import { passwordColumn } from './registries.sealed.ts'
import * as store from './registries.store.ts'

const toResponse = ({
  id,
  host,
  username,
  userId,
  userName,
  setAt,
  lastUsedAt,
}: store.ListedRegistry): Registry => ({
  id,
  host,
  username,
  setBy: userId !== null && userName !== null ? { id: userId, name: userName } : null,
  setAt: setAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})

/** The registries of a team by host. The caller has checked that its user may see the team. */
export const list = async (ctx: Pick<Context, 'db'>, teamId: TeamId): Promise<Registry[]> =>
  (await store.list(ctx.db, teamId)).map(toResponse)

/**
 * Sets or replaces the credentials of a registry for a locked team, in the caller's transaction.
 * Throws `registry_limit_reached`.
 */
export async function set(
  ctx: UserContext,
  tx: Tx,
  teamId: TeamId,
  { host, username, password }: InputOf<typeof setRegistry>['body'],
): Promise<Registry> {
  const before = await store.findByHost(tx, teamId, host)
  if (before) await store.remove(tx, teamId, before.id)
  else if ((await store.count(tx, teamId)) >= serviceLimits.registriesPerTeam)
    throw problem('registry_limit_reached')
  const id = newId<'Registry'>()
  const registry: store.Registry = {
    id,
    teamId,
    host,
    username,
    sealed: passwordColumn.seal(ctx.sealing, id, password),
    userId: ctx.user.id,
    setAt: ctx.clock.now(),
    lastUsedAt: before?.lastUsedAt ?? null,
  }
  await store.insert(tx, registry)
  return toResponse({ ...registry, userName: ctx.user.name })
}

/** Deletes credentials of a locked team; resolves with the host, or undefined if there are none. */
export const remove = async (tx: Tx, teamId: TeamId, id: RegistryId): Promise<string | undefined> =>
  (await store.remove(tx, teamId, id))?.host

/** The credentials for an image, with the opened password; null if its team has none. */
export async function credentialsFor(
  ctx: Pick<Context, 'db' | 'sealing'>,
  teamId: TeamId,
  reference: string,
): Promise<RegistryCredentials | null> {
  const registry = await store.findByHost(ctx.db, teamId, registryOf(reference))
  if (!registry) return null
  const { id, host, username, sealed } = registry
  return { host, username, password: passwordColumn.open(ctx.sealing, id, sealed).toString() }
}

/** Records that an image of a registry became live in a team. */
export const recordUse = (
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  teamId: TeamId,
  reference: string,
): Promise<void> => store.recordUse(tx, teamId, registryOf(reference), ctx.clock.now())
