import { randomUUID } from 'node:crypto'
import { solveCaptcha } from '@slipway/contract/captcha'
import createClient from 'openapi-fetch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { paths } from '../../testing/api-types.gen.ts'
import { zipOf } from '../../testing/archives.ts'
import { httpGet } from '../../testing/http-get.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type World } from '../../testing/world.ts'

let world: World
let baseUrl: string

beforeAll(async () => {
  world = await createWorld()
  await world.host()
  await world.startWorkers()
  baseUrl = `http://127.0.0.1:${await world.listen()}/api`
})
afterAll(() => world.close())

function bodyOf<Body>({ data, error }: { data?: Body; error?: unknown }) {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

describe('a client that openapi-typescript generates', () => {
  it('signs up, creates a project, publishes a release and deletes the project, with typed errors', async () => {
    const guest = createClient<paths>({ baseUrl })
    const challenge = bodyOf(await guest.GET('/guest/captcha/challenge'))
    const number = solveCaptcha(challenge)
    if (number === null) throw new Error('the challenge has no solution')
    const email = 'generated.client@example.com'
    const { token } = bodyOf(
      await guest.POST('/auth/email/sign-up', {
        body: {
          name: 'Generated client',
          email,
          password: 'Correct-Horse-7-Battery',
          __captcha_solution__: { ...challenge, number },
        },
      }),
    )
    const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } })

    const beforeVerification = await api.GET('/management/team/all')
    if (beforeVerification.error?.error !== 'user_not_verified')
      throw new Error('the error has another type')
    expect(beforeVerification.error.code satisfies 403).toBe(403)
    const verificationEmail = await until(async () => (await world.mailsTo(email))[0])
    const verificationToken = /[?&]token=([\w-]+)/.exec(verificationEmail.text ?? '')?.[1] ?? ''
    await guest.POST('/auth/email/verify', {
      body: { token: verificationToken, password: 'Correct-Horse-7-Battery' },
    })

    const [team] = bodyOf(await api.GET('/management/team/all'))
    const [region] = bodyOf(await api.GET('/common/regions'))
    const invalid = await api.POST('/management/project/create', {
      body: { name: 'x', teamId: team?.id ?? '', regionId: region?.id ?? '' },
    })
    if (invalid.error?.error !== 'validation_error') throw new Error('the error has another type')
    expect(invalid.error.root.name).toBe('Please enter a name')
    const { id, key } = bodyOf(
      await api.POST('/management/project/create', {
        body: {
          name: 'Generated',
          teamId: team?.id ?? '',
          regionId: region?.id ?? '',
          runtime: 'static',
          idempotencyKey: randomUUID(),
        },
      }),
    )

    const release = bodyOf(
      await api.POST('/management/project/release/create/{id}', {
        params: { path: { id }, header: { 'Idempotency-Key': randomUUID() } },
        headers: { 'content-type': 'application/zip' },
        body: new Blob([new Uint8Array(zipOf({ 'index.html': 'from a generated client' }))]),
        bodySerializer: (body) => body as Blob,
      }),
    )
    const path = { id, number: String(release.number) }
    const state = await until(async () => {
      const { state } = bodyOf(
        await api.GET('/management/project/release/view/{id}/{number}', { params: { path } }),
      )
      return state !== 'checking' && state
    })
    expect(state).toBe('live')
    const host = `${key}.localhost`
    await until(
      async () =>
        (await httpGet({ port: world.env.SITES_PORT }, '/', { host })).body ===
        'from a generated client',
    )

    const params = { path: { id } }
    const deleted = await api.DELETE('/management/project/delete/{id}', { params })
    expect(bodyOf(deleted).state).toBe('deleting')
    await until(
      async () =>
        bodyOf(await api.GET('/management/project/view/{key}', { params: { path: { key } } }))
          .state === 'deleted',
    )
    const second = await api.DELETE('/management/project/delete/{id}', { params })
    if (second.error?.error !== 'already_deleted') throw new Error('the error has another type')
    expect(second.error.code satisfies 409).toBe(409)
  })
})
