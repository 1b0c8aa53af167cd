import { readFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { getProfile } from '@slipway/contract/account'
import { signUp, verifyEmail } from '@slipway/contract/auth'
import { getCaptchaChallenge, solveCaptcha } from '@slipway/contract/captcha'
import { type Client, createClient } from '@slipway/contract/client'
import { day } from '@slipway/contract/limits'
import type { Project } from '@slipway/contract/projects'
import { createRelease } from '@slipway/contract/releases'
import type { Runtime } from '@slipway/contract/runtimes'
import { login } from '@slipway/contract/sessions'
import { listTeams } from '@slipway/contract/teams'
import type { App } from '../app.ts'
import type { Clock } from '../clock.ts'
import type { Context } from '../context.ts'
import { createLayout } from '../engines/hosting/local/files/layout.ts'
import { localCluster } from '../env/configured-clusters.ts'
import { inProcessFetch } from '../http/in-process-fetch.ts'
import * as mail from '../modules/mail/mail.service.ts'
import * as projects from '../modules/projects/projects.store.ts'
import { nextStep, runStep } from '../modules/projects/reconciler/reconciler.ts'
import { deploy } from '../modules/releases/releases.deploy.ts'
import * as runtimes from '../modules/runtimes/runtimes.service.ts'
import { root } from '../root.ts'
import { type Person, password } from './demo.people.ts'
import { writeDemoSite } from './demo.sites.ts'
import { writeDemoWordPress } from './demo.wordpress.ts'

/** A clock that only the steps move. */
export type DemoClock = Clock & { moveTo(time: Date): void }

/** A step of the demo history. It runs when the clock is at its time. */
export type DemoStep = { time: Date; run(demo: DemoContext): Promise<unknown> }

const { version } = JSON.parse(readFileSync(join(root, 'apps/site/package.json'), 'utf8')) as {
  version: string
}

const siteMetadata = [
  { key: 'cms_version', value: `Slipway Site ${version}` },
  { key: 'database_version', value: 'Flat file 1' },
]

/** The metadata of a running site until the service detects the versions. */
function metadataOf(runtime: Runtime) {
  if (runtime === 'starter') return siteMetadata
  return runtime === 'node'
    ? [{ key: 'runtime_version', value: `Node ${process.versions.node}` }]
    : []
}

/** How long a login is reused, in milliseconds. */
const sessionReuse = 20 * day

export type DemoContext = ReturnType<typeof createDemoContext>

/**
 * The demo's users send requests as the console does, at the time of the clock. Sites are
 * simulated: they start with the service.
 */
export function createDemoContext(app: App, clock: DemoClock) {
  const { ctx } = app
  const client = (token: string | null): Client =>
    createClient({
      base: '/api',
      token: () => token,
      locale: () => 'en',
      fetch: inProcessFetch(app.server.app),
    })
  const guest = client(null)
  const sessions = new Map<string, { call: Client; loggedInAt: number }>()

  const layout = createLayout(ctx.env.DATA_DIR)

  /**
   * A context whose simulated sites respond soon, or never. They create the data folder that the
   * service starts the real site on.
   */
  const withSites = (responds: boolean): Context => ({
    ...ctx,
    engine: {
      ...ctx.engine,
      async apply({ key, cluster, name, runtime }, { report }) {
        const { data } = layout.site(key)
        await mkdir(data, { recursive: true })
        if (runtime === 'starter') await writeDemoSite(data, name, clock.now())
        if (runtime === 'wordpress') await writeDemoWordPress(data)
        for (const step of ctx.engine.stepsOf(cluster)) {
          report?.(step)
          advance(180)
        }
      },
      stage: async () => null,
      needsInstall: async () => false,
      unstage: async () => undefined,
      remove: ({ key }) => rm(layout.site(key).folder, { recursive: true, force: true }),
      async isHealthy() {
        advance(240)
        return responds
      },
      metadata: async ({ runtime }) => metadataOf(runtime),
    },
  })
  const advance = (milliseconds: number) =>
    clock.moveTo(new Date(clock.now().getTime() + milliseconds))

  return {
    ctx,

    /** A client of a logged-in user. */
    async as({ email }: Person): Promise<Client> {
      const now = clock.now().getTime()
      const session = sessions.get(email)
      if (session && now - session.loggedInAt < sessionReuse) return session.call
      const { token } = await guest(login, { body: { email, password } })
      const call = client(token)
      sessions.set(email, { call, loggedInAt: now })
      return call
    },

    /** Signs a user up and follows the emailed link. */
    async signUp({ name, email }: Person) {
      const challenge = await guest(getCaptchaChallenge)
      const number = solveCaptcha(challenge) ?? 0
      const { token } = await guest(signUp, {
        body: { name, email, password, __captcha_solution__: { ...challenge, number } },
      })
      advance(70_000)
      const verificationEmail = (await mail.newest(ctx)).find(
        ({ recipient }) => recipient === email,
      )
      const verificationToken =
        /\/auth\/verify\?token=([\w-]+)/.exec(verificationEmail?.text ?? '')?.[1] ?? ''
      await client(token)(verifyEmail, { body: { token: verificationToken } })
    },

    async teamOf(person: Person) {
      const call = await this.as(person)
      const { id } = await call(getProfile)
      const team = (await call(listTeams)).find(({ userId }) => userId === id)
      if (!team) throw new Error(`${person.name} has no team`)
      return team
    },

    /** True when the service can run sites of this runtime on this machine. */
    canRun: (runtime: Runtime) => runtimes.isAvailable(ctx, runtime, localCluster),

    /** Uploads a release of a project, which becomes live. */
    async deploy(user: Person, { id }: Pick<Project, 'id'>, body: Blob) {
      const call = await this.as(user)
      const release = await call(createRelease, { params: { id }, query: {}, body })
      advance(2_400)
      await deploy(withSites(true), release.id)
      await this.reconcile({ id })
    },

    /** Runs the reconciler for a project. `responds`: whether its site responds. */
    async reconcile({ id }: Pick<Project, 'id'>, responds = true) {
      const simulated = withSites(responds)
      for (;;) {
        const project = await projects.findForReconciler(ctx.db, id)
        if (!project) return
        const outcome = await runStep(simulated, project, nextStep(project, clock.now()))
        if (outcome === 'done') return
        if (outcome === 'wait') advance(20_000)
      }
    },
  }
}
