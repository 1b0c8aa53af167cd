import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { limits, minute } from '@slipway/contract/limits'
import { createPersonalToken } from '@slipway/contract/personal-tokens'
import { serviceLimits } from '@slipway/contract/service-limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../../testing/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const text = readFileSync(new URL('../../../../../docs/api.md', import.meta.url), 'utf8')

describe('docs/api.md', () => {
  it('has a client in ten lines that lists the projects', async () => {
    const [, lines = ''] = /```js\n(.*?)```/s.exec(text) ?? []
    expect(lines.trimEnd().split('\n')).toHaveLength(10)
    const user = await world.user()
    const { key } = await world.project({ teamId: user.teamId })
    const { token } = await user.call(createPersonalToken, {
      body: { name: 'Ten lines', projectIds: null },
    })
    const run = (accessToken: string) =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', lines], {
        env: { SLIPWAY_URL: `http://127.0.0.1:${port}`, SLIPWAY_TOKEN: accessToken },
      })
    const port = await world.listen()
    expect((await run(token)).stdout).toBe(`${key} ready\n`)
    await expect(run('wrong')).rejects.toThrow('Error: unauthorized')
  })

  it('states the limits', () => {
    expect(text).toContain(`${serviceLimits.socketsPerUser}, ${serviceLimits.streamsPerUser} |`)
    expect(text).toContain(`${limits.bodyBytes / 1024} KiB`)
    expect(limits.socketSilence).toBe(2 * minute)
  })
})
