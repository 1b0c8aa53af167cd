import { describe, expect, it } from 'vitest'
import { counterpartOf, relativeName, typedHost } from './domain-names.ts'

describe('the host of what was typed', () => {
  it.each([
    ['www.example.com', 'www.example.com'],
    [' Bäckerei.example ', 'Bäckerei.example'],
    ['https://www.example.com', 'www.example.com'],
    ['HTTP://Example.com/menu?day=1#top', 'Example.com'],
    ['example.com/', 'example.com'],
    ['example.com:8080/a:b', 'example.com'],
    ['https://example.com?a=b/c', 'example.com'],
    ['*.example.com', '*.example.com'],
    ['ada@example.com', 'ada@example.com'],
    ['', ''],
  ])('of "%s" is "%s"', (text, host) => {
    expect(typedHost(text)).toBe(host)
  })
})

describe('the counterpart of a name', () => {
  it.each([
    ['example.com', 'www.example.com'],
    ['www.example.com', 'example.com'],
    ['www2.example.com', 'www.www2.example.com'],
  ])('of %s is %s', (host, counterpart) => {
    expect(counterpartOf(host)).toBe(counterpart)
  })
})

describe('the name of a record relative to its zone', () => {
  it.each([
    ['example.com', 'example.com', '@'],
    ['www.example.com', 'example.com', 'www'],
    ['_slipway.www.example.com', 'example.com', '_slipway.www'],
    ['other-example.com', 'example.com', 'other-example.com'],
    ['shop.example.co.uk', 'example.co.uk', 'shop'],
  ])('of %s in %s is %s', (name, zone, relative) => {
    expect(relativeName(name, zone)).toBe(relative)
  })
})
