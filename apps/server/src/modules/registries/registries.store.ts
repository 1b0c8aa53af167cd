import type { RegistryId } from '@slipway/contract/registries'
import type { TeamId } from '@slipway/contract/teams'
import { and, asc, eq, getTableColumns } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { users } from '../account/account.schema.ts'
import { registries } from './registries.schema.ts'

export type Registry = typeof registries.$inferSelect
export type ListedRegistry = Registry & { userName: string | null }

/** The registries of a team, ordered by host. The caller has found the team for its user. */
export const list = (db: Db, teamId: TeamId): Promise<ListedRegistry[]> =>
  db
    .select({ ...getTableColumns(registries), userName: users.name })
    .from(registries)
    .leftJoin(users, eq(users.id, registries.userId))
    .where(eq(registries.teamId, teamId))
    .orderBy(asc(registries.host))

export async function findByHost(
  db: Db,
  teamId: TeamId,
  host: string,
): Promise<Registry | undefined> {
  const [registry] = await db
    .select()
    .from(registries)
    .where(and(eq(registries.teamId, teamId), eq(registries.host, host)))
  return registry
}

export const count = (tx: Tx, teamId: TeamId): Promise<number> =>
  tx.$count(registries, eq(registries.teamId, teamId))

export async function insert(tx: Tx, registry: typeof registries.$inferInsert) {
  await tx.insert(registries).values(registry)
}

/** Removes a registry of a team with its credentials; undefined if it is not the team's. */
export async function remove(
  tx: Tx,
  teamId: TeamId,
  id: RegistryId,
): Promise<Registry | undefined> {
  const [removed] = await tx
    .delete(registries)
    .where(and(eq(registries.teamId, teamId), eq(registries.id, id)))
    .returning()
  return removed
}

/** Stores when a team last used a registry. Does nothing if the team has no credentials for it. */
export async function recordUse(tx: Tx, teamId: TeamId, host: string, lastUsedAt: Date) {
  await tx
    .update(registries)
    .set({ lastUsedAt })
    .where(and(eq(registries.teamId, teamId), eq(registries.host, host)))
}
