import type { ProjectId } from '@slipway/contract/projects'
import type { Context } from '../../context.ts'
import { followChanges } from '../../db/follow-changes.ts'
import type { Notifications } from '../../db/notifications.ts'
import { type PhpRuntime, phpRuntimes } from '../../fastcgi/php-layout.ts'
import { hstsMaxAgeMs } from '../../gateway/https.ts'
import * as domains from '../domains/domains.service.ts'
import * as events from '../events/events.service.ts'
import * as pauses from './pauses/pauses.store.ts'
import { hostsOf } from './projects.instance.ts'
import { powerOf } from './projects.policy.ts'
import * as store from './projects.store.ts'

export type Route = {
  key: string
  cluster: string
  state: 'starting' | 'ready' | 'failed' | 'stopped' | 'suspended'
  /** The files that the gateway serves; null before the first release, undefined for a program. */
  artifact?: string | null
  /** A site of PHP files. */
  php?: { artifact: string; runtime: PhpRuntime }
  /** HSTS: browsers must use https only (`on`), or delete that policy (`off`). */
  hsts?: 'on' | 'off'
  /** The target of a host that redirects. */
  redirect?: { host: string; status: 301 | 308 }
}

/** The HSTS header of a domain; none once no browser can still have it stored. */
function hstsOf({ hsts, hstsEndedAt }: domains.ServedDomain, now: Date): Pick<Route, 'hsts'> {
  if (hsts) return { hsts: 'on' }
  const mayBeStored = hstsEndedAt !== null && now.getTime() - hstsEndedAt.getTime() < hstsMaxAgeMs
  return mayBeStored ? { hsts: 'off' } : {}
}

function routeState(project: store.RoutedProject, isPaused: boolean): Route['state'] {
  const power = powerOf(project)
  if (power !== 'running') return power
  if (project.state === 'failed_creating') return 'failed'
  if (isPaused) return 'starting'
  return project.state === 'ready' || project.state === 'modifying' ? 'ready' : 'starting'
}

export async function createHostTable(
  ctx: Pick<Context, 'clock' | 'db' | 'engine' | 'env' | 'log' | 'stopping'>,
  notifications: Notifications,
) {
  const routes = new Map<string, Route>()
  const hostsById = new Map<ProjectId, readonly string[]>()

  function removeRoutes(id: ProjectId, key: string | undefined) {
    // The domain may already belong to another project.
    for (const host of hostsById.get(id) ?? [])
      if (key === undefined || routes.get(host)?.key === key) routes.delete(host)
    hostsById.delete(id)
  }

  function set(
    project: store.RoutedProject,
    served: readonly domains.ServedDomain[],
    isPaused: boolean,
  ) {
    removeRoutes(project.id, project.key)
    if (project.state === 'deleting' || project.state === 'deleted') return
    const hosts = hostsOf(ctx.env, project, served)
    const { key, cluster } = project
    const route: Route = { key, cluster, state: routeState(project, isPaused) }
    const serving = ctx.engine.servingOf(project)
    if (serving === null || serving === 'files') route.artifact = project.artifact
    const php = phpRuntimes.find((id) => id === project.runtime)
    if (serving === 'fastcgi' && php && project.artifact !== null)
      route.php = { artifact: project.artifact, runtime: php }
    for (const host of hosts) routes.set(host, route)
    const [defaultHost = ''] = hosts
    const primary = served.find(({ role }) => role === 'primary')?.host ?? defaultHost
    for (const domain of served) {
      const { host, role, redirectStatus: status } = domain
      routes.set(host, {
        ...route,
        ...hstsOf(domain, ctx.clock.now()),
        ...(role === 'redirect' ? { redirect: { host: primary, status } } : {}),
      })
    }
    hostsById.set(project.id, [defaultHost, ...served.map(({ host }) => host)])
  }

  async function readAll() {
    const all = await store.listUndeleted(ctx.db)
    const paused = await pauses.listPaused(ctx.db)
    const servedById = Map.groupBy(await domains.listServed(ctx.db), (each) => each.projectId)
    routes.clear()
    hostsById.clear()
    for (const project of all)
      set(project, servedById.get(project.id) ?? [], paused.has(project.id))
  }

  async function readOne(id: ProjectId) {
    const project = await store.findForReconciler(ctx.db, id)
    if (!project) return removeRoutes(id, undefined)
    set(project, await domains.listServed(ctx.db, id), await pauses.isPaused(ctx.db, id))
  }

  await followChanges(ctx, notifications, {
    name: 'the hosts of the gateway',
    channel: events.channel,
    readAll,
    readAfter(payload) {
      const event = events.read(payload)
      return event?.kind === 'Project' ? () => readOne(event.data.projectId) : undefined
    },
  })

  return { find: (host: string): Route | undefined => routes.get(host) }
}
