import { domainToASCII } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isOperatorDomain, nameProblem } from './domains.names.ts'

const production = {
  PUBLIC_URL: 'https://console.slipway.app',
  SITES_DOMAIN: 'sites.slipway.app',
}
const development = { PUBLIC_URL: 'http://localhost:3000', SITES_DOMAIN: 'localhost' }

const problem = (name: string) => nameProblem(production, domainToASCII(name))
const problemInDevelopment = (name: string) => nameProblem(development, domainToASCII(name))

describe('a domain that a project can have', () => {
  it.each([
    'bigbank.com',
    'www.bigbank.co.uk',
    'kuruyemişçi.com.tr',
    'ışık.com.tr',
    'пример.рф',
    '東京カメラ.jp',
    'my-site.github.io',
    'slipway.org',
    'www.slipway.app',
    'my.xn--p1ai',
  ])('is %s', (name) => {
    expect(problem(name)).toBeNull()
  })
})

describe('a domain that no project can have', () => {
  it.each([
    'sites.slipway.app',
    'shop-7f3a.sites.slipway.app',
    'gateway-eu.sites.slipway.app',
    'www.shop.sites.slipway.app',
    'console.slipway.app',
    'api.console.slipway.app',
    'console\u3002slipway\uff0eapp',
    '\uff43onsole.slipway.app',
  ])('is the name of the service %s', (name) => {
    expect(problem(name)).toBe('form_domain_reserved')
  })

  it.each(['co.uk', 'com.tr', 'github.io', 'vercel.app', 'anything.ck'])(
    'is the public suffix %s',
    (name) => {
      expect(problem(name)).toBe('form_domain_public')
    },
  )

  it.each([
    'printer.local',
    'name.invalid',
    'expyuzz4wqqyqhjn.onion',
    'router.home.arpa',
    '1.168.192.in-addr.arpa',
    'x.alt',
    'intranet.internal',
    'shop.cmo',
    'my.localhost',
    'my.test',
    'my.example',
    'www.example.com',
  ])('is %s, which DNS does not have', (name) => {
    expect(problem(name)).toBe('form_enter_domain')
  })

  it.each([
    ['with Cyrillic letters alone', '\u0455\u04cf\u0456\u0440\u051d\u0430\u0443.com'],
    ['with a Cyrillic letter', 'slіpway.com'],
    ['with a Turkish letter', 'slıpway.com'],
    ['with an accent', 'slípway.com'],
    ['with a digit', 's1ipway.com'],
    ['with two letters for one', 'slipvvay.com'],
    ['below another domain', 'slıpway.attacker.com'],
    ['with another word', 'slípway-login.com'],
  ])('is one that looks like the service %s', (_, name) => {
    expect(problem(name)).toBe('form_domain_look_alike')
  })

  it('is one with letters of two scripts that look alike in one label', () => {
    expect(problem('pаypal.com')).toBe('form_domain_look_alike')
    expect(problem('αlpha.com')).toBe('form_domain_look_alike')
    expect(problem('москва.shop.com')).toBeNull()
  })

  it('is one that leaves no room for the name of its TXT record (RFC 1035 §2.3.4)', () => {
    const nameOf = (length: number) =>
      `${`${'a'.repeat(60)}.`.repeat(3)}${'b'.repeat(length - 187)}.com`
    expect(problem(nameOf(244))).toBeNull()
    expect(problem(nameOf(245))).toBe('form_domain_too_long')
  })
})

it('a domain is the operator’s when the service has a name of the same registered domain', () => {
  const env = { PUBLIC_URL: 'https://console.host.co.uk', SITES_DOMAIN: 'eu.sites.net' }
  for (const name of ['host.co.uk', 'www.host.co.uk', 'sites.net', 'us.sites.net'])
    expect(isOperatorDomain(env, name)).toBe(true)
  for (const name of ['other.co.uk', 'host.com', 'myhost.co.uk', 'net'])
    expect(isOperatorDomain(env, name)).toBe(false)
})

describe('a domain in development', () => {
  it.each(['www.shop.test', 'www.shop.localhost', 'www.shop.example', 'www.example.com'])(
    'may be %s',
    (name) => {
      expect(problemInDevelopment(name)).toBeNull()
    },
  )

  it('is no name of a project or of the service', () => {
    for (const name of ['localhost', 'shop-7f3a.localhost', 'gateway-eu.localhost'])
      expect(problemInDevelopment(name)).toBe('form_domain_reserved')
  })

  it('must exist in DNS otherwise', () => {
    expect(problemInDevelopment('printer.local')).toBe('form_enter_domain')
    expect(problemInDevelopment('co.uk')).toBe('form_domain_public')
  })
})
