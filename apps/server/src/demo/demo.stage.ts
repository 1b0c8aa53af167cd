import { readFileSync } from 'node:fs'
import { getProfile } from '@slipway/contract/account'
import { signUp, verifyEmail } from '@slipway/contract/auth'
import { getCaptchaChallenge, solveCaptcha } from '@slipway/contract/captcha'
import { type Client, createClient } from '@slipway/contract/client'
import { day } from '@slipway/contract/limits'
import type { Project } from '@slipway/contract/projects'
import { login } from '@slipway/contract/sessions'
import { listTeams } from '@slipway/contract/teams'
import type { App } from '../app.ts'
import type { Clock } from '../clock.ts'
import type { Context } from '../context.ts'
import { inProcessFetch } from '../http/in-process-fetch.ts'
import * as mail from '../modules/mail/mail.service.ts'
import * as projects from '../modules/projects/projects.store.ts'
import { nextStep, runStep } from '../modules/projects/reconciler/reconciler.ts'
import { type Person, password } from './demo.people.ts'

/** A clock that only the story moves. */
export type StoryClock = Clock & { moveTo(time: Date): void }

/** One step of the story at a past time. */
export type Moment = { at: Date; happens(stage: Stage): Promise<unknown> }

const { version } = JSON.parse(
  readFileSync(new URL('../../../site/package.json', import.meta.url), 'utf8'),
) as { version: string }

/** The metadata of a running site. */
const siteMetadata = [
  { key: 'cms_version', value: `Slipway Site ${version}` },
  { key: 'database_version', value: 'Flat file 1' },
]

/** How long a login is reused, in milliseconds. */
const lastingSession = 20 * day

export type Stage = ReturnType<typeof createStage>

/**
 * The demo's users send requests as the console does, at the time of the clock. Sites are
 * simulated: they start with the service.
 */
export function createStage(app: App, clock: StoryClock) {
  const { ctx } = app
  const client = (token: string | null): Client =>
    createClient({
      base: '/api',
      token: () => token,
      locale: () => 'en',
      fetch: inProcessFetch(app.server.app),
    })
  const guest = client(null)
  const sessions = new Map<string, { call: Client; since: number }>()

  /** A context whose simulated sites respond soon, or never. */
  const withSites = (answers: boolean): Context => ({
    ...ctx,
    engine: {
      ...ctx.engine,
      async apply(_instance, report) {
        for (const step of ctx.engine.steps) {
          report?.(step)
          pass(180)
        }
      },
      remove: async () => undefined,
      async answers() {
        pass(240)
        return answers
      },
      metadata: async () => siteMetadata,
    },
  })
  const pass = (milliseconds: number) =>
    clock.moveTo(new Date(clock.now().getTime() + milliseconds))

  return {
    ctx,

    /** A client of a logged-in user. */
    async as({ email }: Person): Promise<Client> {
      const now = clock.now().getTime()
      const known = sessions.get(email)
      if (known && now - known.since < lastingSession) return known.call
      const { token } = await guest(login, { body: { email, password } })
      const call = client(token)
      sessions.set(email, { call, since: now })
      return call
    },

    /** Signs a user up and follows the emailed link. */
    async signUp({ name, email }: Person) {
      const challenge = await guest(getCaptchaChallenge)
      const number = solveCaptcha(challenge) ?? 0
      const { token } = await guest(signUp, {
        body: { name, email, password, __captcha_solution__: { ...challenge, number } },
      })
      pass(70_000)
      const letter = (await mail.newest(ctx)).find(({ recipient }) => recipient === email)
      const mailed = /\/auth\/verify\?token=([\w-]+)/.exec(letter?.text ?? '')?.[1] ?? ''
      await client(token)(verifyEmail, { body: { token: mailed } })
    },

    /** The user's own team. */
    async teamOf(person: Person) {
      const call = await this.as(person)
      const { id } = await call(getProfile)
      const team = (await call(listTeams)).find(({ userId }) => userId === id)
      if (!team) throw new Error(`${person.name} has no team`)
      return team
    },

    /** Runs the reconciler for a project. `answers`: whether its site responds. */
    async reconcile({ id }: Pick<Project, 'id'>, answers = true) {
      const simulated = withSites(answers)
      for (;;) {
        const project = await projects.findForReconciler(ctx.db, id)
        if (!project) return
        const outcome = await runStep(simulated, project, nextStep(project, clock.now()))
        if (outcome === 'done') return
        if (outcome === 'wait') pass(20_000)
      }
    },
  }
}
