import { describe, expect, it } from 'vitest'
import { isRegistered, isRegistrable } from './sign-in-clients.redirects.ts'

const origins = ['https://shop.example.com']
const registered = [
  'https://shop.example.com/callback',
  'http://localhost/callback',
  'http://localhost:3000/with-port',
  'http://127.0.0.1/callback?x=1',
  'http://[::1]/callback',
]
const matches = (uri: string) => isRegistered(uri, { registered, origins })

describe('isRegistered', () => {
  it.each([
    'https://shop.example.com/callback',
    'http://localhost/callback',
    'http://localhost:5173/callback',
    'http://localhost:65535/with-port',
    'http://127.0.0.1:8080/callback?x=1',
    'http://[::1]:8080/callback',
  ])('is true for %j', (uri) => {
    expect(matches(uri)).toBe(true)
  })

  it.each([
    'https://shop.example.com/Callback',
    'https://SHOP.example.com/callback',
    'HTTPS://shop.example.com/callback',
    'https://shop.example.com:443/callback',
    'https://shop.example.com:8443/callback',
    'https://shop.example.com/callback/',
    'https://shop.example.com/callback?',
    'https://shop.example.com/callback?x=1',
    'https://shop.example.com/callback#',
    'https://shop.example.com/x/../callback',
    'https://shop.example.com/%63allback',
    'https://shop.example.com//callback',
    'https://shop.example.com\\callback',
    'https://shop.example.com./callback',
    'https://ѕhop.example.com/callback',
    'https://user@shop.example.com/callback',
    'https://shop.example.com/callback\n',
    'http://shop.example.com/callback',
    'http://localhost:5173/other',
    'http://localhost:5173/callback/../other',
    'http://localhost:5173/callback?x=1',
    'http://localhost.evil.example.com/callback',
    'http://localhost:80@evil.example.com/callback',
    'http://localhost:5173evil.example.com/callback',
    'http://localhost:999999/callback',
    'http://LOCALHOST/callback',
    'https://localhost/callback',
    'http://127.0.0.2/callback?x=1',
    'http://127.0.0.1.evil.example.com/callback?x=1',
    'http://2130706433/callback?x=1',
    'http://127.0.0.1:8080/callback',
    '',
  ])('is false for %j', (uri) => {
    expect(matches(uri)).toBe(false)
  })

  it('is false once the domain is no longer the project’s', () => {
    const [uri = ''] = registered
    expect(isRegistered(uri, { registered, origins: ['https://other.example.com'] })).toBe(false)
  })
})

describe('isRegistrable', () => {
  it.each(['https://shop.example.com', 'https://shop.example.com/a?b=c', 'http://localhost/x'])(
    'accepts %j',
    (uri) => {
      expect(isRegistrable(uri, origins)).toBe(true)
    },
  )

  it.each([
    'https://other.example.com/',
    'https://sub.shop.example.com/',
    'http://shop.example.com/',
    'https://shop.example.com/a/../b',
    'https://shop.example.com/#x',
    'https://SHOP.example.com/',
    'https://user@shop.example.com/',
    'https://*.example.com/',
    'myapp://callback',
    'javascript:alert(1)',
    '',
  ])('rejects %j', (uri) => {
    expect(isRegistrable(uri, origins)).toBe(false)
  })
})
