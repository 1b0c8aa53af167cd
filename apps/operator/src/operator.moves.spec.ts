import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../server/src/testing/free-port.ts'
import { type Cli, createCli, createService, kubeconfig, type Service } from './cli.fixture.ts'
import { moveResult } from './moves.ts'

let folder: string
let service: Service
let cli: Cli
let key: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'operator-moves-'))
  const file = join(folder, 'kubeconfig')
  await writeFile(file, kubeconfig(await freePort()))
  service = await createService({ ENGINE: ['local', 'kubernetes'], KUBECONFIG: file })
  await service.world.startWorkers()
  const { teamId } = await service.world.user()
  const project = { teamId, runtime: 'static', cluster: 'local' } as const
  key = (await service.world.project(project)).key
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

describe('operator move', () => {
  it('prints the steps, and why a project was not moved', async () => {
    const { code, output } = await cli.run(['move', key, '--to', 'default'])
    expect([code, output]).toEqual([
      1,
      `Checking whether default can run ${key}…
${key} was not moved: default doesn't respond. It stays in local.
`,
    ])
  })

  it('prints that a project was deleted, and not where it is', () => {
    const move = { source: 'local', target: 'default', state: 'failed', step: 'discard' } as const
    const deleted = { ...move, key: 'shop', failure: 'project_deleted', detail: null } as const
    const times = { requestedAt: '2026-11-28T12:00:00Z', finishedAt: '2026-11-28T12:01:00Z' }
    expect(moveResult({ ...deleted, ...times }, 'en')).toBe('shop was deleted.')
  })

  it('prints the result as JSON', async () => {
    const { code, output } = await cli.run(['move', key, '--to', 'default', '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(output)).toMatchObject({
      key,
      source: 'local',
      target: 'default',
      state: 'failed',
      failure: 'target_unreachable',
    })
  })

  it('says why a project cannot be moved there', async () => {
    const errorsOf = async (...args: string[]) => (await cli.run(['move', ...args])).errors
    expect(await errorsOf(key, '--to', 'local')).toBe(`${key} is in local already.\n`)
    expect(await errorsOf(key, '--to', 'moon')).toBe(
      'The service has no cluster moon. npm run operator -- cluster list shows them.\n',
    )
    expect(await errorsOf(key)).toBe('Usage: move KEY --to NAME\n')
  })
})
