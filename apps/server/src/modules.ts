import { readdirSync } from 'node:fs'
import type { SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'
import type { Audience } from './events.ts'
import type { Bind } from './http/binder.ts'
import type { Job, Timer } from './jobs.ts'
import type { Measurement } from './metrics/measurement.ts'
import type { SealedColumn } from './sealing/sealed-columns.ts'

type ModuleFile = {
  routes?: (on: Bind) => void
  jobs?: Job[]
  timers?: Timer[]
  audience?: Partial<Audience<never>>
  pages?: (app: FastifyInstance, ctx: Context) => void
  keepsUser?: SQL
  sealed?: SealedColumn[]
  metrics?: Measurement[]
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
  /** Every column of sealed values. */
  sealed: SealedColumn[]
  metrics: Measurement[]
}

const folder = new URL('modules/', import.meta.url)
const roles = ['routes', 'jobs', 'events', 'pages', 'retention', 'sealed', 'metrics']

/** Loads `modules/<domain>/<domain>.<role>.ts` of these roles. */
export async function loadModules(): Promise<Modules> {
  const loaded: Modules = {
    routes: [],
    jobs: [],
    timers: [],
    audience: {},
    pages: [],
    keepsUser: [],
    sealed: [],
    metrics: [],
  }
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  for (const name of files) {
    const [, role] = /^[^/\\]+[/\\][^/\\.]+\.([a-z]+)\.ts$/.exec(name) ?? []
    if (role === undefined || !roles.includes(role)) continue
    const file: ModuleFile = await import(new URL(name.replaceAll('\\', '/'), folder).href)
    if (file.routes) loaded.routes.push(file.routes)
    if (file.pages) loaded.pages.push(file.pages)
    if (file.keepsUser) loaded.keepsUser.push(file.keepsUser)
    loaded.sealed.push(...(file.sealed ?? []))
    loaded.jobs.push(...(file.jobs ?? []))
    loaded.timers.push(...(file.timers ?? []))
    loaded.metrics.push(...(file.metrics ?? []))
    Object.assign(loaded.audience, file.audience)
  }
  return loaded
}
