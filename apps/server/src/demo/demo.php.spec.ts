import { listProjects } from '@slipway/contract/projects'
import { listReleases } from '@slipway/contract/releases'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hasPhpFpm } from '../testing/has-php-fpm.ts'
import { hasSandbox } from '../testing/sandbox.ts'
import { sitePage } from '../testing/site-page.ts'
import { until } from '../testing/until.ts'
import { createWorld } from '../testing/world.ts'
import { addPhpSites } from './demo.php.ts'

const canRun = (await hasSandbox()) && (await hasPhpFpm())

describe('the PHP sites of the demo', () => {
  it.skipIf(!canRun)('are a guest book, once, where the machine runs PHP', async () => {
    const world = await createWorld()
    onTestFinished(() => world.close())
    const user = await world.user()
    await world.host()
    await world.work()
    await addPhpSites(user.call)
    await addPhpSites(user.call)
    const [book, ...others] = await user.call(listProjects)
    expect([book?.runtime, others]).toEqual(['php', []])
    const releases = () => user.call(listReleases, { params: { id: book?.id ?? '' }, query: {} })
    expect((await releases()).items).toHaveLength(1)
    await until(async () => {
      const { body } = await sitePage(world.env.SITES_PORT, `${book?.key}.localhost`)
      return body.includes('<h1>Regatta guest book</h1>')
    })
  })
})
