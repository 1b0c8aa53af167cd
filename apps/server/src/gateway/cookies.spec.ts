import { describe, expect, it } from 'vitest'
import { confineCookie } from './cookies.ts'

const confined = (header: string) => confineCookie(header, 'sites.example.com')

describe('confineCookie', () => {
  it.each([
    'Domain=sites.example.com',
    'domain=.sites.example.com',
    'DOMAIN = Sites.Example.COM ',
    'Domain=example.com',
    'Domain=.com',
    'Domain=sites.example.com.',
    'Domain=\uff53ites.example.com',
    'Domain=sites.example.com; Domain=example.com',
  ])('drops Domain attributes that reach other sites: %j', (attributes) => {
    expect(confined(`a=1; Path=/; ${attributes}; Secure`)).toBe('a=1; Path=/; Secure')
  })

  it.each([
    'a=1',
    'a=1; Path=/; HttpOnly',
    'a=Domain=sites.example.com; Path=/',
    'domain=sites.example.com',
    'a=1; Domain=own.sites.example.com',
    'a=1; Domain=www.customer.example',
    'a=1; Domain=ites.example.com',
    'a=1; Domain=',
    'a=1; Domain',
    '',
  ])('leaves other cookies unchanged: %j', (header) => {
    expect(confined(header)).toBe(header)
  })
})
