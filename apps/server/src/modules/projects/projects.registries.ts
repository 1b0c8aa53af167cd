import type { InputOf } from '@slipway/contract/endpoint'
import {
  type Registry,
  type RegistryId,
  registryOf,
  type setRegistry,
} from '@slipway/contract/registries'
import type { TeamId } from '@slipway/contract/teams'
import type { Tx, UserContext } from '../../context.ts'
import { problem } from '../../problem.ts'
import { logSecurityEvent } from '../../security-events.ts'
import { recordActivity } from '../activity/activity.service.ts'
import * as registries from '../registries/registries.service.ts'
import { mayChangeRegistries } from '../teams/teams.policy.ts'
import * as teams from '../teams/teams.service.ts'
import { scheduleReconcile } from './projects.service.ts'
import * as store from './projects.store.ts'

/** The registries of a team, by host. Throws `team_not_found`. */
export async function list(ctx: UserContext, id: TeamId): Promise<Registry[]> {
  await teams.requireForUser(ctx, id)
  return registries.list(ctx, id)
}

/**
 * Sets or replaces a team's credentials for a registry. Its running sites get them without a
 * restart. Throws `team_not_found`, `forbidden` and `registry_limit_reached`.
 */
export async function set(
  ctx: UserContext,
  id: TeamId,
  form: InputOf<typeof setRegistry>['body'],
): Promise<Registry> {
  const registry = await ctx.write(async (tx) => {
    const team = await lockForOwner(ctx, tx, id)
    const stored = await registries.set(ctx, tx, team, form)
    await applyChange(ctx, tx, team, 'registry_set', stored.host)
    return stored
  })
  logSecurityEvent(ctx, 'registry_set', { userId: ctx.user.id })
  return registry
}

/**
 * Deletes a team's credentials for a registry. Sites keep running; one that starts on another
 * machine may not find its image. Throws `team_not_found`, `forbidden` and `item_not_found`.
 */
export async function remove(ctx: UserContext, id: TeamId, registryId: RegistryId): Promise<void> {
  await ctx.write(async (tx) => {
    const team = await lockForOwner(ctx, tx, id)
    const host = await registries.remove(tx, team, registryId)
    if (host === undefined) throw problem('item_not_found')
    await applyChange(ctx, tx, team, 'registry_deleted', host)
  })
  logSecurityEvent(ctx, 'registry_deleted', { userId: ctx.user.id })
}

async function lockForOwner(ctx: UserContext, tx: Tx, id: TeamId): Promise<TeamId> {
  const team = await teams.lock(tx, ctx.user.id, id)
  if (!mayChangeRegistries(ctx.user, team)) throw problem('forbidden')
  return team.id
}

/** Records a change of credentials and applies it to sites whose images come from `host`. */
async function applyChange(
  ctx: UserContext,
  tx: Tx,
  teamId: TeamId,
  kind: 'registry_set' | 'registry_deleted',
  host: string,
) {
  await recordActivity(ctx, tx, { kind, concerns: { teamId }, subject: host })
  await teams.publishChange(tx, teamId)
  for (const { id, reference } of await store.listImages(tx, teamId)) {
    if (registryOf(reference) !== host) continue
    const project = await store.lock(tx, id)
    if (!project) continue
    const changed = await store.incrementGeneration(tx, id, ctx.clock.now())
    await scheduleReconcile(ctx, tx, changed)
  }
}
