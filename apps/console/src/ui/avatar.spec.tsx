import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Avatar } from './avatar.tsx'

describe('an avatar', () => {
  it.each([
    ['Ada Lovelace', 'AL'],
    ['Ada King Lovelace', 'AL'],
    ['  Ada  ', 'A'],
    ['Ada', 'A'],
    ['👩‍🚀 Çağla', '👩Ç'],
    ['', ''],
  ])('of “%s” has the initials “%s”', (name, initials) => {
    expect(renderToStaticMarkup(<Avatar name={name} />)).toContain(`data-initials="${initials}"`)
  })

  // The name is beside it.
  it('is hidden from screen readers', () => {
    expect(renderToStaticMarkup(<Avatar name="Ada" />)).toContain('aria-hidden="true"')
  })
})
