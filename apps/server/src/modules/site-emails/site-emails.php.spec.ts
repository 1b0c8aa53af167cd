import { viewProjectLogs } from '@slipway/contract/logs'
import { createProject } from '@slipway/contract/projects'
import { createRelease, viewRelease } from '@slipway/contract/releases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canRunPhp } from '../../engines/hosting/local/runtimes/php/php-world.fixture.ts'
import { zipOf } from '../../testing/archives.ts'
import { httpGet } from '../../testing/http-get.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type World } from '../../testing/world.ts'

const canRun = await canRunPhp()

let world: World
beforeAll(async () => {
  world = await createWorld({ SITE_EMAILS_PER_DAY: 2 })
  await world.host()
  await world.startWorkers()
})
afterAll(() => world.close())

const files = {
  'index.php': 'up',
  'send.php': `<?php var_dump(mail('ada@example.com', 'Your order', 'Hello'));`,
}

describe.skipIf(!canRun)('the limit of emails of a site', () => {
  it('fails mail() of PHP beyond it, and the log of the site says why', async () => {
    const owner = await world.user()
    const { id, key } = await owner.call(createProject, {
      body: {
        name: 'Old Mill',
        teamId: owner.teamId,
        regionId: 'eu',
        domain: null,
        runtime: 'php',
      },
    })
    const body = new Blob([new Uint8Array(zipOf(files))], { type: 'application/zip' })
    await owner.call(createRelease, { params: { id }, query: {}, body })
    const state = async () => (await owner.call(viewRelease, { params: { id, number: '1' } })).state
    await until(async () => (await state()) !== 'checking')
    expect(await state()).toBe('live')
    const visit = async (path: string) =>
      (await httpGet({ port: world.env.SITES_PORT }, path, { host: `${key}.localhost` })).body
    await until(async () => (await visit('/')) === 'up')

    const sent: string[] = []
    for (let count = 0; count < 3; count++) sent.push((await visit('/send.php')).trim())
    expect(sent).toEqual(['bool(true)', 'bool(true)', 'bool(false)'])
    const line = 'An email was not sent: this site may send 2 emails in 24 hours'
    await until(async () => {
      const { items } = await owner.call(viewProjectLogs, { params: { id }, query: {} })
      return items.some(({ text }) => text?.includes(line))
    })
  })
})
