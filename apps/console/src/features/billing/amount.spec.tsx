import { getLocale, type Locale } from '@slipway/phrases'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { overwriteGetLocale } from '../../../../../packages/phrases/src/paraglide/runtime.js'
import { Amount } from './amount.tsx'

// Replaces the Node build of the phrases by one whose language a test can change.
vi.mock('@slipway/phrases', () => import('../../../../../packages/phrases/src/index.ts'))

describe('an amount', () => {
  const originalGetLocale = getLocale
  afterEach(() => overwriteGetLocale(originalGetLocale))

  it.each<[Locale, string, string]>([
    ['en', '$1,234.56', '789'],
    ['tr', '$1.234,56', '789'],
  ])('in %s is %s with the last three decimals dimmed', (locale, cents, dimmed) => {
    overwriteGetLocale(() => locale)
    expect(renderToStaticMarkup(<Amount value="1234.56789" />)).toBe(
      `<span>${cents}<span class="font-normal text-muted">${dimmed}</span></span>`,
    )
  })
})
