import { signUp, verifyEmail } from '@slipway/contract/auth'
import { getCaptchaChallenge, solveCaptcha } from '@slipway/contract/captcha'
import { createClient } from '@slipway/contract/client'
import { createProject, deleteProject, viewProject } from '@slipway/contract/projects'
import { createRelease, viewRelease } from '@slipway/contract/releases'
import { listTeams } from '@slipway/contract/teams'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMailServer } from './modules/mail/mail.fixture.ts'
import { newKey } from './sealing/keyring.ts'
import { zipOf } from './testing/archives.ts'
import { hostAddress, installationName } from './testing/cluster-world.ts'
import { installSlipway, removeSlipway } from './testing/slipway-on-cluster.ts'
import { outcomeOf, sendSteadily } from './testing/steady-requests.ts'
import { until } from './testing/until.ts'

const {
  KUBECONFIG: kubeconfig,
  KUBERNETES_SLIPWAY_IMAGE: slipway,
  KUBERNETES_POSTGRESQL_IMAGE: postgresql,
} = process.env
const images = kubeconfig && slipway && postgresql ? { slipway, postgresql } : undefined
const longTest = 900_000
const consoleUrl = 'https://console.example.com'

describe.skipIf(!images)('deploy/kubernetes', () => {
  const name = installationName('s')
  let service: Awaited<ReturnType<typeof installSlipway>>
  let mailServer: Awaited<ReturnType<typeof startMailServer>>

  beforeAll(async () => {
    if (!images) return
    mailServer = await startMailServer({ host: hostAddress() })
    service = await installSlipway({
      name,
      images,
      settings: {
        PUBLIC_URL: consoleUrl,
        KUBERNETES_INSTALLATION: name,
        KUBERNETES_SERVICE_URL: `http://slipway-web.${name}.svc`,
        ACME_DIRECTORY: 'none',
        SITES_URL: 'http://sites.example.com',
        RATE_LIMIT: '0',
      },
      secrets: {
        slipway: {
          DATABASE_URL: 'postgresql://slipway:a-password@slipway-postgresql/slipway',
          SEALING_KEYS: newKey().text,
        },
        'slipway-services': {
          SMTP_URL: `${mailServer.url}?requireTLS=false`,
          PAYMENT_GATEWAY: 'sandbox',
        },
        'slipway-postgresql': { POSTGRES_PASSWORD: 'a-password' },
      },
    })
  }, longTest)
  afterAll(async () => {
    await removeSlipway(name)
    await mailServer?.close()
  }, longTest)

  /** Signs a user up, with the link of the email. */
  async function signUpAt(address: string) {
    let token: string | null = null
    const base = `http://${address}/api`
    const call = createClient({ base, token: () => token, locale: () => 'en' })
    const challenge = await call(getCaptchaChallenge)
    const number = solveCaptcha(challenge)
    if (number === null) throw new Error('the challenge has no solution')
    const body = { name: 'Ada', email: 'ada@example.com', password: 'Correct-horse7' }
    const session = await call(signUp, {
      body: { ...body, __captcha_solution__: { ...challenge, number } },
    })
    token = session.token
    const emailed = await until(() => {
      const text = mailServer.received[0]?.replaceAll('=\r\n', '')
      return /verify\?token=(?:3D)?([\w-]+)/.exec(text ?? '')?.[1]
    })
    await call(verifyEmail, { body: { token: emailed } })
    return { call, token: session.token }
  }

  it('many-nodes is accepted, but for kinds that the cluster is too old for', async () => {
    const accepted = await service.tryOverlay('many-nodes')
    for (const role of ['web', 'worker', 'gateway'])
      expect(accepted).toContain(`deployment.apps/slipway-${role}`)
  })

  it(
    'one-node serves a site from the sign-up on, and restarts each role without a failed request',
    async () => {
      const web = await service.addressOf('slipway-web')
      const visitors = await service.addressOf('slipway-visitors')
      const { call, token } = await signUpAt(web)
      const [team] = await call(listTeams)
      const { id, key } = await call(createProject, {
        body: {
          name: 'Site',
          teamId: team?.id ?? expect.unreachable(),
          regionId: 'eu',
          domain: null,
          runtime: 'static',
        },
      })
      const files = new Uint8Array(zipOf({ 'index.html': '<h1>Hello</h1>' }))
      const { number } = await call(createRelease, {
        params: { id },
        query: { runtime: 'static' },
        body: new Blob([files], { type: 'application/zip' }),
      })
      await until(async () => {
        const params = { id, number: String(number) }
        const { state, failure } = await call(viewRelease, { params })
        expect(failure).toBeNull()
        return state === 'live'
      })
      const view = () => call(viewProject, { params: { key } })
      await until(async () => (await view()).state === 'ready')

      const host = `${key}.sites.example.com`
      const visit = () => outcomeOf(`${visitors}:80`, '/', { host })
      const authorization = `Bearer ${token}`
      const list = () => outcomeOf(`${web}:80`, '/api/management/project/all', { authorization })
      await until(async () => (await visit()) === 'ok')

      const endCalls = sendSteadily(10, list)
      const endVisits = sendSteadily(10, visit)
      for (const role of ['gateway', 'worker', 'web'] as const) await service.restart(role)
      const outcomes = { calls: await endCalls(), visits: await endVisits() }
      expect(outcomes.calls.length).toBeGreaterThan(100)
      expect(outcomes.visits.length).toBeGreaterThan(100)
      process.stdout.write(`${outcomes.calls.length} calls, ${outcomes.visits.length} visits\n`)
      const failed = (all: string[]) => all.filter((outcome) => outcome !== 'ok')
      expect(failed(outcomes.calls)).toEqual([])
      expect(failed(outcomes.visits)).toEqual([])

      await call(deleteProject, { params: { id } })
      await until(async () => (await view()).state === 'deleted')
    },
    longTest,
  )
})
