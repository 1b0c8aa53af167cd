import { expect, it } from 'vitest'
import { keySuffixLength, projectSlug } from './project-slug.ts'

it('projectSlug is a part of a DNS label, also for letters of other languages', () => {
  expect(projectSlug('Gümüş Kaşık')).toBe('gumus-kasik')
  expect(projectSlug('  --Łódź & Straße--  ')).toBe('lodz-strasse')
})

it('projectSlug leaves room for the random characters of a key', () => {
  expect(projectSlug('x'.repeat(100)).length + 1 + keySuffixLength).toBe(63)
})

it('projectSlug is "site" for a name without letters of a DNS label', () => {
  expect(projectSlug('')).toBe('site')
  expect(projectSlug('咖啡')).toBe('site')
})
