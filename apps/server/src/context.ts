import type { UserId } from '@slipway/contract/account'
import type { PersonalTokenId } from '@slipway/contract/personal-tokens'
import type { ProjectId, ProjectKey } from '@slipway/contract/projects'
import type { LoginProvider } from '@slipway/contract/sessions'
import type { Locale } from '@slipway/phrases'
import type { SQL } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { ArtifactStore } from './artifacts/artifact-store.ts'
import type { Clock } from './clock.ts'
import type { Database, Db, Tx } from './db/connect.ts'
import type { Locks } from './db/locks.ts'
import type { Probe } from './db/probe.ts'
import type { Fleet } from './engines/hosting/fleet/fleet.ts'
import type { PaymentGateway } from './engines/payments/gateway.ts'
import type { Env } from './env/env.ts'
import type { Jobs } from './jobs.ts'
import type { Logs } from './logs/logs.ts'
import type { SessionId } from './modules/sessions/sessions.schema.ts'
import type { Sessions } from './modules/sessions/sessions.service.ts'
import type { SealedColumn } from './sealing/sealed-columns.ts'
import type { Sealing } from './sealing/sealing.ts'

/** The dependencies of every request and job. */
export type Context = {
  env: Env
  db: Database['db']
  clock: Clock
  /** The id of the request, or of the request that sent the job; undefined for timers. */
  requestId?: string | undefined
  log: FastifyBaseLogger
  jobs: Jobs
  engine: Fleet
  /** The files of releases. */
  artifacts: ArtifactStore
  /** The logs of the sites: their output, and the requests to them. */
  logs: Logs
  /** Stores and charges cards. Never called in a transaction: its effects cannot be rolled back. */
  paymentGateway: PaymentGateway
  sessions: Sessions
  /** The outside providers that users can sign in with. */
  loginProviders: LoginProvider[]
  /** Conditions on `users`: a user for whom one of them is true is never removed. */
  keepsUser: readonly SQL[]
  sealing: Sealing
  /** Every column of sealed values, from the modules. */
  sealedColumns: readonly SealedColumn[]
  locks: Locks
  probe: Probe
  /** Aborted when the process stops: long work ends at its next step. */
  stopping: AbortSignal
  /** One transaction, with its jobs and events. */
  write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  /** The context of jobs and timers: their connections have longer timeouts. */
  forJobs(): Context
}

/** Cookies that only the server reads, by short names. */
export type Cookies = {
  get(name: string): string | undefined
  /** `lifetime` in milliseconds. */
  set(name: string, value: string, lifetime: number): void
  clear(name: string): void
}

export type RequestContext = Context & {
  locale: Locale
  /** The caller's network address. */
  address: string
  /** The caller's User-Agent and the time zone of their browser, unchecked. */
  agent?: string | undefined
  timeZone?: string | undefined
  cookies: Cookies
  /** The bearer token of the request, valid or not. */
  bearer?: string | undefined
}

export type SignedIn = { id: UserId; email: string; name: string; verified: boolean }

/** A personal token and the projects that it may use: null for all of its user. */
export type TokenScope = {
  id: PersonalTokenId
  projects: readonly { id: ProjectId; key: ProjectKey }[] | null
}

/** The context of an authenticated request. */
export type UserContext = RequestContext & {
  user: SignedIn
  /** The scope of a personal token; undefined for a session. */
  token?: TokenScope | undefined
  /** True once the client disconnected; skip expensive work. */
  isGone(): boolean
  /**
   * Call it after a long wait, such as an upload. Throws the problems of the first authorization,
   * `unauthorized` for a session or token that has ended meanwhile.
   */
  authorizeAgain(): Promise<void>
}

export type SessionContext = UserContext & { session: { id: SessionId; tokenHash: Buffer } }

export type TokenContext = UserContext & { token: TokenScope }

export type { Db, Tx }
