import {
  createProject,
  deleteProject,
  type ProjectId,
  viewProject,
} from '@slipway/contract/projects'
import { createRelease, deployImage, viewRelease } from '@slipway/contract/releases'
import { listTeams } from '@slipway/contract/teams'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMailServer } from './modules/mail/mail.fixture.ts'
import { newKey } from './sealing/keyring.ts'
import { zipOf } from './testing/archives.ts'
import { hostAddress, installationName } from './testing/cluster-world.ts'
import { signUpAt } from './testing/service-journey.ts'
import { installSlipway, removeSlipway } from './testing/slipway-on-cluster.ts'
import { outcomeOf, sendSteadily } from './testing/steady-requests.ts'
import { until } from './testing/until.ts'

const {
  KUBECONFIG: kubeconfig,
  KUBERNETES_SLIPWAY_IMAGE: slipway,
  KUBERNETES_POSTGRESQL_IMAGE: postgresql,
  KUBERNETES_NODE_IMAGE: nodeImage,
  KUBERNETES_TEST_IMAGE: testImage,
} = process.env
const images =
  kubeconfig && slipway && postgresql && nodeImage && testImage
    ? { slipway, postgresql, node: nodeImage, test: testImage }
    : undefined
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
        KUBERNETES_NETWORK_POLICY: 'trusted',
        KUBERNETES_NODE_IMAGE: images.node,
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

  it('the overlay many-nodes is accepted, except for kinds that the cluster does not know', async () => {
    const accepted = await service.tryOverlay('many-nodes')
    for (const role of ['web', 'worker', 'gateway'])
      expect(accepted).toContain(`deployment.apps/slipway-${role}`)
  })

  it('the autoscalers and disruption budgets for its version are accepted', async () => {
    const accepted = await Promise.all(
      ['autoscaling', 'autoscaling-before-1.23'].map((name) => service.tryOverlay(name)),
    )
    const complete = ['web', 'gateway'].flatMap((role) => [
      `horizontalpodautoscaler.autoscaling/slipway-${role}`,
      `poddisruptionbudget.policy/slipway-${role}`,
    ])
    expect(accepted.map((names) => names.trim().split('\n').sort())).toContainEqual(complete.sort())
  })

  it(
    'the overlay one-node serves sites from the sign-up on, and restarts each role without a failed request',
    async () => {
      const web = await service.addressOf('slipway-web')
      const visitors = await service.addressOf('slipway-visitors')
      const { call, token } = await signUpAt(`http://${web}`, mailServer)
      const [team] = await call(listTeams)
      const teamId = team?.id ?? expect.unreachable()

      /** Creates a project, whose first release is live and visited when this resolves. */
      async function createSite(runtime: keyof typeof firstReleases) {
        const body = { name: 'Site', teamId, regionId: 'eu', domain: null, runtime }
        const { id, key } = await call(createProject, { body })
        const { number } = await firstReleases[runtime](id)
        await until(async () => {
          const params = { id, number: String(number) }
          const { state, failure } = await call(viewRelease, { params })
          expect({ runtime, failure }).toEqual({ runtime, failure: null })
          return state === 'live'
        })
        const stateOf = async () => (await call(viewProject, { params: { key } })).state
        await until(async () => (await stateOf()) === 'ready')
        const host = `${key}.sites.example.com`
        const visit = () =>
          outcomeOf(`${visitors}:80`, '/', { host }).catch((error: Error) => error.message)
        await until(async () => (await visit()) === 'ok')
        return { id, stateOf, visit }
      }
      const upload = (id: ProjectId, runtime: 'static' | 'node', files: Record<string, string>) =>
        call(createRelease, {
          params: { id },
          query: { runtime },
          body: new Blob([new Uint8Array(zipOf(files))], { type: 'application/zip' }),
        })
      const firstReleases = {
        static: (id: ProjectId) => upload(id, 'static', { 'index.html': '<h1>Hello</h1>' }),
        node: (id: ProjectId) =>
          upload(id, 'node', {
            'package.json': '{"main":"app.js"}',
            'app.js': `require('http').createServer((_, response) => response.end('Hello'))
              .listen(process.env.PORT)`,
          }),
        image: (id: ProjectId) => {
          const body = { reference: images?.test ?? '', port: 8080, healthPath: '/' }
          return call(deployImage, { params: { id }, body })
        },
      }
      const sites = await Promise.all([
        createSite('static'),
        createSite('node'),
        createSite('image'),
      ])

      const authorization = `Bearer ${token}`
      const list = () => outcomeOf(`${web}:80`, '/api/management/project/all', { authorization })

      const endCalls = sendSteadily(10, list)
      const endVisits = sites.map(({ visit }) => sendSteadily(10, visit))
      for (const role of ['gateway', 'worker', 'web'] as const) {
        // The role is replaced while a site is created.
        const creating = createSite('node')
        await service.restart(role)
        sites.push(await creating)
      }
      const outcomes = [await endCalls(), ...(await Promise.all(endVisits.map((end) => end())))]
      for (const each of outcomes) {
        expect(each.length).toBeGreaterThan(100)
        expect(each.filter((outcome) => outcome !== 'ok')).toEqual([])
      }
      process.stdout.write(`${outcomes.map(({ length }) => length).join(', ')} requests\n`)

      for (const { id, stateOf } of sites) {
        await call(deleteProject, { params: { id } })
        await until(async () => (await stateOf()) === 'deleted')
      }
    },
    longTest,
  )
})
