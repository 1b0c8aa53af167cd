import { describe, expect, it } from 'vitest'
import { readEnv } from './env.ts'

describe('the environment', () => {
  it('is a working development machine when nothing is set', () => {
    expect(readEnv({})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      PUBLIC_URL: 'http://localhost:3000',
      SITES_URL: 'http://localhost:8080',
      PROJECT_LIMIT: 10,
      ROLE: 'all',
      loopback: true,
      DATABASE_URL: undefined,
      REGIONS: [
        { id: 'eu', name: 'Europe' },
        { id: 'us', name: 'North America' },
      ],
    })
  })

  it('counts an empty variable as unset', () => {
    expect(readEnv({ PORT: '', DATABASE_URL: '' })).toMatchObject({
      PORT: 3000,
      DATABASE_URL: undefined,
    })
  })

  it.each([
    ['PORT', '99999', 'PORT must be a port, 1 to 65535'],
    ['PORT', 'http', 'PORT must be a port, 1 to 65535'],
    ['SITES_PORT', '1.5', 'SITES_PORT must be a port, 1 to 65535'],
    [
      'PUBLIC_URL',
      'localhost:3000',
      'PUBLIC_URL must be an address that starts with http:// or https://',
    ],
    ['SITES_DOMAIN', 'Sites.Example', 'SITES_DOMAIN must be a host name in lower case'],
    ['REGIONS', 'eu', 'REGIONS must be a list of id=Name, each id of a-z, 0-9 and hyphens'],
    ['REGIONS', 'eu=A,eu=B', 'REGIONS must name at least one region and none twice'],
    ['DATABASE_URL', 'mysql://x', 'DATABASE_URL must start with postgres:// or postgresql://'],
    ['SMTP_URL', 'http://x', 'SMTP_URL must start with smtp:// or smtps://'],
    ['GOOGLE_CLIENT_ID', 'x', 'GOOGLE_CLIENT_SECRET and GOOGLE_CLIENT_ID must be set together'],
    ['PROJECT_LIMIT', '-1', 'PROJECT_LIMIT must be a whole number from 0'],
    ['ENGINE', 'docker', 'ENGINE must be one of local'],
    ['ROLE', 'boss', 'ROLE must be one of all, web, worker, gateway'],
    [
      'CONSOLE_ORIGINS',
      'https://a.example.com, b',
      'CONSOLE_ORIGINS must be an address that starts with http:// or https://',
    ],
  ])('names %s when it is %s', (name, value, message) => {
    expect(() => readEnv({ [name]: value })).toThrow(message)
  })

  it('asks for a mail server when others can reach the machine', () => {
    expect(() => readEnv({ HOST: '0.0.0.0' })).toThrow(/^SMTP_URL must be set when HOST/)
    expect(() => readEnv({ PUBLIC_URL: 'https://console.example.com' })).toThrow(
      /^SMTP_URL must be set when HOST .* or PUBLIC_URL/,
    )
    expect(readEnv({ HOST: '0.0.0.0', SMTP_URL: 'smtps://mail.example.com' }).loopback).toBe(false)
  })
})
