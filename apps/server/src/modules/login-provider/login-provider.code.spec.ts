import { listActivity } from '@slipway/contract/activity'
import { day } from '@slipway/contract/limits'
import { createAuthorizationCode } from '@slipway/contract/login-provider'
import { deleteProject } from '@slipway/contract/projects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { isRedirectAllowed } from '../sign-in-clients/sign-in-clients.redirects.ts'
import { createProviderWorld, domain, type Provider } from './login-provider.fixture.ts'
import { authorizationCodes } from './login-provider.schema.ts'

let provider: Provider

beforeAll(async () => {
  provider = await createProviderWorld()
})
afterAll(() => provider.world.close())

describe(title(createAuthorizationCode), () => {
  it('issues a code for the default origin and the custom domain', async () => {
    const { world, member, site, requestCode } = provider
    const origins = [site.origin, `http://${domain}:${world.env.SITES_PORT}`, `https://${domain}`]
    for (const origin of origins)
      expect((await requestCode(member, { redirect_uri: `${origin}/yk/app?x=1` })).token).toMatch(
        /^[\w-]{43}$/,
      )
  })

  it('records one activity entry for each member and day', async () => {
    const { world, member, owner, requestCode } = provider
    const accessesOf = async (user: typeof member) => {
      const { items } = await user.call(listActivity, { query: {} })
      return items.filter(({ kind }) => kind === 'site_accessed').map(({ actor }) => actor.id)
    }
    const before = await accessesOf(member)
    world.clock.forward(day)
    for (const user of [member, owner, member]) await requestCode(user)
    expect(await accessesOf(member)).toEqual([owner.id, member.id, ...before])
    world.clock.forward(day)
    await requestCode(member)
    expect(await accessesOf(member)).toEqual([member.id, owner.id, member.id, ...before])
  })

  it.each([
    'https://evil.example.com/',
    'https://shop.example.com.evil.example.com/',
    'https://evil.example.com/shop.example.com',
    'https://evil.example.com?shop.example.com',
    'https://shop.example.com@evil.example.com/',
    'https://shop.example.com:443@evil.example.com/',
    'https://shop.example.com\\@evil.example.com/',
    'https://shop.example.com\\.evil.example.com/',
    'https://shop.example.com%2eevil.example.com/',
    'https://user:password@shop.example.com/',
    'https://@shop.example.com/',
    'https://shop.example.com/#fragment',
    'https://shop.example.com/#',
    'https://shop.example.com:8443/',
    'https:shop.example.com/',
    'https:///shop.example.com/',
    '//shop.example.com/',
    'javascript:alert(1)//shop.example.com',
    'data:text/html,https://shop.example.com',
    'ftp://shop.example.com/',
    ' https://shop.example.com/',
    'https://shop.example.com/ x',
    'https://shop.example.com/\n',
    'https://ѕhop.example.com/',
    'https://shop.example.com./',
    'https://sub.shop.example.com/',
    '',
    '/callback',
  ])('rejects the redirect URI %j and stores no code', async (redirectUri) => {
    const { world, member, requestCode } = provider
    const codes = () => world.ctx.db.$count(authorizationCodes)
    const before = await codes()
    const error = await errorOf(requestCode(member, { redirect_uri: redirectUri }))
    expect(await codes()).toBe(before)
    expect([error.code, error.context]).toEqual(['invalid_params', 'redirect_uri'])
    expect(isRedirectAllowed(redirectUri, ['https://shop.example.com'])).toBe(false)
  })

  it('rejects other response types and weak PKCE challenges', async () => {
    const { member, requestCode } = provider
    const challenge = 'x'.repeat(43)
    for (const [parameters, name] of [
      [{ response_type: 'token' }, 'response_type'],
      [{ response_type: 'code id_token' }, 'response_type'],
      [{ code_challenge: challenge }, 'code_challenge_method'],
      [{ code_challenge: challenge, code_challenge_method: 'plain' }, 'code_challenge_method'],
      [{ code_challenge_method: 'S256' }, 'code_challenge_method'],
      [{ code_challenge: 'x'.repeat(42), code_challenge_method: 'S256' }, 'code_challenge'],
      [{ code_challenge: 'x'.repeat(44), code_challenge_method: 'S256' }, 'code_challenge'],
      [{ code_challenge: '='.repeat(43), code_challenge_method: 'S256' }, 'code_challenge'],
    ] as const)
      expect((await errorOf(requestCode(member, parameters))).context).toBe(name)
  })

  it('returns invalid_params when a parameter is missing or not a string', async () => {
    const { member, requestCode } = provider
    for (const name of ['client_id', 'redirect_uri', 'response_type'])
      for (const value of [undefined, 7, ['code'], null])
        expect(await errorCodeOf(requestCode(member, { [name]: value } as never))).toBe(
          'invalid_params',
        )
  })

  it.each(['client_id', 'redirect_uri', 'response_type', 'scope', 'nonce'])(
    'rejects a control character in %s and names the parameter',
    async (name) => {
      const { member, requestCode, site } = provider
      for (const control of ['\u0000', '\n', '\u007f']) {
        const value = `${name === 'client_id' ? site.key : 'x'}${control}`
        const error = await errorOf(requestCode(member, { [name]: value }))
        expect([error.code, error.context]).toEqual(['invalid_params', name])
      }
    },
  )

  it('accepts each prompt of the standard and rejects others', async () => {
    const { member, requestCode } = provider
    for (const prompt of ['none', 'consent', 'select_account', 'consent select_account'])
      expect((await requestCode(member, { prompt })).token).not.toBe('')
    for (const [parameters, name] of [
      [{ prompt: 'none login' }, 'prompt'],
      [{ prompt: 'create' }, 'prompt'],
      [{ prompt: '' }, 'prompt'],
      [{ max_age: '-1' }, 'max_age'],
      [{ max_age: 'x' }, 'max_age'],
      [{ response_mode: 'fragment' }, 'response_mode'],
      [{ response_mode: 'query.jwt' }, 'response_mode'],
      [{ response_mode: '' }, 'response_mode'],
    ] as const)
      expect((await errorOf(requestCode(member, parameters))).context).toBe(name)
  })

  it('accepts response_mode=query and form_post, and rejects request objects by the standard’s errors', async () => {
    const { member, requestCode } = provider
    for (const response_mode of ['query', 'form_post'])
      expect((await requestCode(member, { response_mode })).token).not.toBe('')
    expect(await errorCodeOf(requestCode(member, { request: 'e30.e30.' }))).toBe(
      'request_not_supported',
    )
    expect(await errorCodeOf(requestCode(member, { request_uri: 'https://example.com/r' }))).toBe(
      'request_uri_not_supported',
    )
  })

  it('returns project_not_found for an unknown or deleted project and one of another team', async () => {
    const { world, owner, member, newSite, requestCode } = provider
    const stranger = await world.user()
    expect(await errorCodeOf(requestCode(stranger))).toBe('project_not_found')
    expect(await errorCodeOf(requestCode(member, { client_id: 'nothing-bcdfgh' }))).toBe(
      'project_not_found',
    )
    const { id, key } = await newSite()
    await owner.call(deleteProject, { params: { id } })
    expect(await errorCodeOf(requestCode(owner, { client_id: key }))).toBe('project_not_found')
  })
})
