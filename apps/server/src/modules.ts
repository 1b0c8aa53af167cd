import { readdirSync } from 'node:fs'
import type { SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'
import type { Audience } from './events.ts'
import type { Bind } from './http/binder.ts'
import type { Job, Timer } from './jobs.ts'

type ModuleFile = {
  routes?: (on: Bind) => void
  jobs?: Job[]
  timers?: Timer[]
  audience?: Partial<Audience<never>>
  pages?: (app: FastifyInstance, ctx: Context) => void
  keepsUser?: SQL
}

/** The parts of all modules, collected from their files: a new module needs no registration. */
export type Modules = {
  routes: ((on: Bind) => void)[]
  jobs: Job[]
  timers: Timer[]
  /** By kind of event. */
  audience: Record<string, (ctx: Context, data: never) => Promise<readonly string[]>>
  pages: ((app: FastifyInstance, ctx: Context) => void)[]
  /** Conditions on `users`: a user for whom one of them holds is never removed. */
  keepsUser: SQL[]
}

const folder = new URL('modules/', import.meta.url)
const roles = ['routes', 'jobs', 'events', 'pages', 'retention']

/** Loads `modules/<domain>/<domain>.{routes,jobs,events,pages,retention}.ts`. */
export async function loadModules(): Promise<Modules> {
  const loaded: Modules = {
    routes: [],
    jobs: [],
    timers: [],
    audience: {},
    pages: [],
    keepsUser: [],
  }
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  for (const file of files) {
    const [, role] = /^[^/\\]+[/\\][^/\\.]+\.([a-z]+)\.ts$/.exec(file) ?? []
    if (role === undefined || !roles.includes(role)) continue
    const found: ModuleFile = await import(new URL(file.replaceAll('\\', '/'), folder).href)
    if (found.routes) loaded.routes.push(found.routes)
    if (found.pages) loaded.pages.push(found.pages)
    if (found.keepsUser) loaded.keepsUser.push(found.keepsUser)
    loaded.jobs.push(...(found.jobs ?? []))
    loaded.timers.push(...(found.timers ?? []))
    Object.assign(loaded.audience, found.audience)
  }
  return loaded
}
