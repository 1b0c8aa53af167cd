import type { InputOf, ResponseOf } from '@slipway/contract/endpoint'
import { logPosition, type viewProjectLogs } from '@slipway/contract/logs'
import type { ProjectId } from '@slipway/contract/projects'
import type { Context, UserContext } from '../../context.ts'
import type { EventFeed } from '../../http/event-stream.ts'
import * as projects from '../projects/projects.service.ts'

type Query = InputOf<typeof viewProjectLogs>['query']

/**
 * A page of a project's log: the newest, or the one before a position. Throws `project_not_found`.
 */
export async function view(
  ctx: UserContext,
  id: ProjectId,
  { source, before, limit }: Query,
): Promise<ResponseOf<typeof viewProjectLogs>> {
  const { key } = await projects.requireForUser(ctx, id)
  const items = await ctx.logs.page(key, source, { before, limit })
  const oldest = items[0]?.position
  const hasOlder =
    oldest !== undefined &&
    (await ctx.logs.page(key, source, { before: oldest, limit: 1 })).length > 0
  return { items, before: hasOlder ? oldest : null }
}

/**
 * Follows a project's log: the newest `limit` lines, or those after the last event that the caller
 * has, and then each new one. Throws `project_not_found`, also from `check`.
 */
export async function follow(
  ctx: UserContext,
  id: ProjectId,
  { source, limit }: Query,
  lastEventId: string | undefined,
): Promise<EventFeed> {
  const { key } = await projects.requireForUser(ctx, id)
  const after = lastEventId !== undefined && logPosition.test(lastEventId) ? lastEventId : undefined
  const next = ctx.logs.follow(key, source, { after, limit })
  return {
    read: async () => (await next()).map((entry) => ({ id: entry.position, data: entry })),
    async check() {
      await projects.requireForUser(ctx, id)
    },
  }
}

/** Removes logs older than the retention, and all logs of deleted projects. */
export async function removeOld(ctx: Context): Promise<void> {
  for (const key of await ctx.logs.projects()) {
    if (await projects.existsByKey(ctx, key)) await ctx.logs.removeOld(key)
    else await ctx.logs.remove(key)
  }
}
