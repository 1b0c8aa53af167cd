import type { ProjectKey } from '@slipway/contract/projects'
import { describe, expect, it } from 'vitest'
import { displayName } from './display-name.ts'

const key = 'shop-x7k2p1' as ProjectKey

describe('displayName', () => {
  it.each(['Shop', ' Çiçekçi ', '店', '🛶', '--', 'a\u200b'])('is the name "%s"', (name) => {
    expect(displayName({ name, key })).toBe(name)
  })

  it.each([
    ['empty', ''],
    ['spaces', ' \u00a0\u2003'],
    ['of no width', '\u200b\u2060\ufeff'],
    ['made of blank letters', '\u3164\u2800\u115f'],
    ['joiners alone', '\u200d\ufe0f\u200d'],
  ])('is the key if the name is %s', (_, name) => {
    expect(displayName({ name, key })).toBe(key)
  })
})
