import { describe, expect, it } from 'vitest'
import { startHostingWorld } from '../../../../../testing/hosting-world.ts'
import { processesOf } from '../../../../../testing/processes.ts'
import { pollOptions } from '../../../../../testing/until.ts'
import { instance } from '../../fixtures/local-engine.fixture.ts'
import { artifactOf, serverOf } from './node-site.fixture.ts'

/** An app that a script starts, with an install script. It reads and writes files and data. */
const files = (text: string) => ({
  'package.json': JSON.stringify({
    scripts: { start: 'node server.js; true', postinstall: `echo "${text}" > made.txt` },
  }),
  'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages: { '': {} } }),
  'server.js': serverOf(
    "require('fs').readFileSync('made.txt', 'utf8').trim() + require('fs').readFileSync(process.env.NOTES)",
    "require('fs').appendFileSync(process.env.HOME + '/notes', '.');",
  ),
})

describe('SANDBOX=off', () => {
  it('says at each start that Node apps are not isolated, and offers no PHP', async () => {
    const { engine, lines } = await startHostingWorld({ withoutSandbox: true })
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', message: expect.stringMatching(/^SANDBOX=off/) }),
    )
    const capabilities = await engine.capabilities()
    const reasonOf = (runtime: string) => capabilities.find(({ id }) => id === runtime)?.reason
    expect(reasonOf('node')).toBeNull()
    expect(reasonOf('php')).not.toBeNull()
  })

  it('installs, runs, replaces and ends a Node app with its start script', async () => {
    const world = await startHostingWorld({ withoutSandbox: true })
    const release = async (text: string) =>
      instance('app', {
        runtime: 'node',
        artifact: await artifactOf(world, files(text)),
        environment: { NOTES: '/data/notes' },
      })
    await world.applyUntilHealthy(await release('first'))
    expect((await world.visit('app', '/')).body).toBe('first.')
    const second = await release('second')
    await expect(world.engine.stage(second)).resolves.toBeNull()
    await world.engine.apply(second, { mayCreate: false })
    await expect
      .poll(async () => (await world.visit('app', '/')).body, pollOptions)
      .toBe('second..')

    await world.engine.remove('app')
    await expect(processesOf(world.dataDir)).resolves.toEqual([])
  })

  it('fails an installation that takes too long, with all that it started', async () => {
    const limits = { nodeApps: { installLimits: { timeoutMs: 100 } } }
    const world = await startHostingWorld({ withoutSandbox: true, ...limits })
    const endless = {
      ...files(''),
      'package.json': JSON.stringify({ main: 'server.js', scripts: { postinstall: 'sleep 1000' } }),
    }
    const app = instance('app', { runtime: 'node', artifact: await artifactOf(world, endless) })
    await expect(world.engine.stage(app, { mayCreate: true })).resolves.toMatchObject({
      failure: 'install_timed_out',
    })
    await expect(processesOf(world.dataDir)).resolves.toEqual([])
  })
})
