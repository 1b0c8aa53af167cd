import type { UserId } from '@slipway/contract/account'
import type { LoginProvider } from '@slipway/contract/sessions'
import type { Locale } from '@slipway/phrases'
import type { SQL } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from './clock.ts'
import type { Database, Db, Tx } from './db/connect.ts'
import type { Locks } from './db/locks.ts'
import type { HostingEngine } from './engines/hosting/engine.ts'
import type { PaymentGateway } from './engines/payments/gateway.ts'
import type { Env } from './env/env.ts'
import type { Jobs } from './jobs.ts'
import type { Sessions } from './modules/sessions/sessions.service.ts'

/** What every request and job carries: where things are, what time it is, who to tell. */
export type Context = {
  env: Env
  db: Database['db']
  clock: Clock
  log: FastifyBaseLogger
  jobs: Jobs
  engine: HostingEngine
  /** Keeps and charges cards. Never called within a transaction: it does at once what it does. */
  paymentGateway: PaymentGateway
  sessions: Sessions
  /** The outside providers that users can sign in with. */
  loginProviders: LoginProvider[]
  /** Conditions on `users`, from the modules: a user for whom one of them holds is never removed. */
  keepsUser: readonly SQL[]
  locks: Locks
  /** Aborted when the process is asked to stop: long work ends at its next step. */
  stopping: AbortSignal
  /** One write: all of it is stored, with its jobs and its events, or nothing. */
  write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
}

/** What a request carries besides. */
export type RequestContext = Context & {
  locale: Locale
  /** The caller's network address. */
  address: string
  /** The bearer token that came with the request, whether it is good for anything or not. */
  bearer?: string | undefined
}

export type SignedIn = { id: UserId; email: string; name: string; verified: boolean }

/** What a request of somebody signed in carries. */
export type UserContext = RequestContext & {
  user: SignedIn
  session: { id: string; token: string }
  /** True once the caller has hung up: what costs much need not be done for them any more. */
  isGone(): boolean
}

export type { Db, Tx }
