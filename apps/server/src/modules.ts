import type { SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'
import type { Audience } from './events.ts'
import type { Bind } from './http/binder.ts'
import type { Job, Timer } from './jobs.ts'
import type { Measurement } from './metrics/measurement.ts'
import * as moduleFiles from './module-files.ts'
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

/** The parts of all modules, collected from their files. */
export type Modules = {
  routes: ((on: Bind) => void)[]
  jobs: Job[]
  timers: Timer[]
  /** By kind of event. */
  audience: Record<string, (ctx: Context, data: never) => Promise<readonly string[]>>
  pages: ((app: FastifyInstance, ctx: Context) => void)[]
  /** Conditions on `users`: a user for whom one of them is true is never removed. */
  keepsUser: SQL[]
  /** Every column of sealed values. */
  sealed: SealedColumn[]
  metrics: Measurement[]
}

const files: ModuleFile[] = Object.values(moduleFiles)

/** Collects the parts of the modules from the files of `module-files.ts`. */
export const collectModules = (): Modules => ({
  routes: files.flatMap(({ routes = [] }) => routes),
  jobs: files.flatMap(({ jobs = [] }) => jobs),
  timers: files.flatMap(({ timers = [] }) => timers),
  audience: Object.assign({}, ...files.map(({ audience }) => audience)),
  pages: files.flatMap(({ pages = [] }) => pages),
  keepsUser: files.flatMap(({ keepsUser = [] }) => keepsUser),
  sealed: files.flatMap(({ sealed = [] }) => sealed),
  metrics: files.flatMap(({ metrics = [] }) => metrics),
})
