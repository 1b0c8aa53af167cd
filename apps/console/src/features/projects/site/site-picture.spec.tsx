import type { Project } from '@slipway/contract/projects'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { siteHue } from './site-hue.ts'
import { SitePicture } from './site-picture.tsx'

const project = {
  key: 'garden-x7k2p1',
  name: 'Garden',
  state: 'ready',
  power: 'running',
  failure: null,
  picture: null,
  hasSite: true,
} as unknown as Project

const markupOf = (overrides: Partial<Project> = {}) =>
  renderToStaticMarkup(<SitePicture project={{ ...project, ...overrides }} />)

describe('the picture of a site', () => {
  it('is a drawing with the initial and the hue of the site before a picture is taken', () => {
    expect(markupOf()).toContain(`--hue:${siteHue(project)}`)
    expect(markupOf()).toContain('data-initial="G"')
  })

  it('is gray while visitors see no site', () => {
    expect(markupOf()).not.toContain('site-gray')
    expect(markupOf({ power: 'stopped' })).toContain('site-gray')
  })

  it('shows the left edge of the page, whatever the shape of the card', () => {
    const markup = markupOf({ picture: { large: '/pictures/a.webp', small: '/pictures/b.webp' } })
    expect(markup).toContain('object-left-top')
  })

  it('replaces the drawing', () => {
    const markup = markupOf({ picture: { large: '/pictures/a.webp', small: '/pictures/b.webp' } })
    expect(markup).toContain('src="/pictures/a.webp"')
    expect(markup).not.toContain('data-initial')
  })
})
