import { serviceLimits } from '@slipway/contract/service-limits'
import { login } from '@slipway/contract/sessions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { createWorld, type World } from '../../testing/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const send = (number: number) =>
  world.app.server.app.inject({
    method: 'POST',
    url: `/api${login.path}`,
    remoteAddress: `192.0.2.${number % 250}`,
    payload: { email: `storm.${number}@example.com`, password: 'Correct-horse7' },
  })

describe(title(login), () => {
  it('rejects logins beyond its queue at once, and serves the others', async () => {
    const { email } = await world.user({ password: 'Correct-horse7' })
    const finished: number[] = []
    const storm = await Promise.all(
      Array.from({ length: 500 }, (_, number) =>
        send(number).then((response) => {
          finished.push(response.statusCode)
          return response
        }),
      ),
    )
    const shed = storm.filter(({ statusCode }) => statusCode === 503)
    const served = storm.filter(({ statusCode }) => statusCode === 400)
    expect(shed.length + served.length).toBe(500)
    expect(served.length).toBeGreaterThanOrEqual(serviceLimits.waitingPasswords)
    expect(shed.length).toBeGreaterThan(100)
    expect(shed[0]?.json()).toEqual({ code: 503, error: 'unavailable' })
    expect(Number(shed[0]?.headers['retry-after'])).toBeGreaterThan(0)
    // The rejected calls did not wait for the others.
    expect(finished.lastIndexOf(503)).toBeLessThan(finished.lastIndexOf(400))
    // Many rejections log only a few lines.
    const lines = world.logged.filter((line) => line.includes('rejected as unavailable'))
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.length).toBeLessThan(10)
    expect(world.logged.join('')).not.toContain('the request failed')
    const body = { email, password: 'Correct-horse7' }
    expect(await world.guest(login, { body })).toHaveProperty('token')
  })
})
