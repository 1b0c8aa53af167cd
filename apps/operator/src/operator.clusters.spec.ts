import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../server/src/testing/free-port.ts'
import { type Cli, createCli, createService, kubeconfig, type Service } from './cli.fixture.ts'

let folder: string
let service: Service
let cli: Cli
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'operator-clusters-'))
  const file = join(folder, 'kubeconfig')
  await writeFile(file, kubeconfig(await freePort()))
  service = await createService({ ENGINE: ['kubernetes'], KUBECONFIG: file })
  await service.world.startWorkers()
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  cli = await createCli({ SLIPWAY_URL: service.url })
  await service.storeSession(cli)
})
afterEach(() => cli.remove())

describe('operator cluster check', () => {
  it('waits for the worker, prints a line for each part and fails if a part fails', async () => {
    const { code, output } = await cli.run(['cluster', 'check'])
    expect(code).toBe(1)
    expect(output.replaceAll(/(API server: .*CLUSTERS\.).*/g, '$1')).toBe(
      `✗ API server: it doesn't respond. Check KUBECONFIG of the worker, and KUBERNETES_CONTEXT or KUBERNETES_CLUSTERS.
✗ Permissions: not checked.
✗ Server-side apply: not checked.
✗ Storage: not checked.
✗ NetworkPolicy: not checked.
✗ API server and sites: not checked.
✓ User namespaces: off. Kubernetes 1.33 and newer can run sites in them: KUBERNETES_USER_NAMESPACES=on.
✓ Edge: none. The site gateway sends the requests.
✗ Images: set KUBERNETES_NODE_IMAGE, KUBERNETES_PHP_IMAGE to the images of deploy/runtimes, by their digests (name@sha256:…).
`,
    )
  })

  it('prints the results as JSON', async () => {
    const { code, output } = await cli.run(['cluster', 'check', '--json'])
    expect(code).toBe(1)
    const { state, items } = JSON.parse(output)
    expect(state).toBe('finished')
    expect(items[0]).toMatchObject({ part: 'api_server', finding: 'unreachable', passed: false })
  })

  it('prints its usage for an unknown or incomplete command', async () => {
    for (const words of [['fix'], ['state'], ['state', 'default', 'closed']]) {
      const { code, errors } = await cli.run(['cluster', ...words])
      expect([code, errors]).toEqual([
        1,
        'Usage: cluster check, cluster list, or cluster state NAME open|full|draining\n',
      ])
    }
  })
})

describe('operator cluster list', () => {
  it('shows the clusters with their projects', async () => {
    const { code, output } = await cli.run(['cluster', 'list'])
    expect(code).toBe(0)
    expect(output).toMatch(/Cluster +Region +State +Projects +Response\n/)
    expect(output).toMatch(/default +all +\S+ +0 +/)
  })
})

describe('operator cluster state', () => {
  it('changes whether a cluster accepts new projects', async () => {
    const { code, output } = await cli.run(['cluster', 'state', 'default', 'draining'])
    expect([code, output]).toEqual([0, 'The state of default is now: draining.\n'])
    expect((await cli.run(['cluster', 'list'])).output).toMatch(/default +all +draining /)
  })

  it('rejects a name that the service does not have', async () => {
    const { code, errors } = await cli.run(['cluster', 'state', 'moon', 'full'])
    expect([code, errors]).toEqual([
      1,
      'The service has no cluster moon. npm run operator -- cluster list shows them.\n',
    ])
  })
})
