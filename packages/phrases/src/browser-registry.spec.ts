import { expect, test } from 'vitest'
import { plural } from './browser-registry.ts'
import { locales } from './paraglide/runtime.js'

test('whole numbers take the forms that the languages give them', () => {
  for (const locale of locales) {
    const rules = new Intl.PluralRules(locale)
    for (let count = 0; count <= 1000; count++)
      expect(plural(locale, count)).toBe(rules.select(count))
  }
})
