import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openContent } from './content.ts'
import { createSiteFolder, startSite } from './site.fixture.ts'
import { openWebsite } from './website.ts'

const now = new Date('2026-01-02T03:04:05.000Z')
const log = { info: () => {}, warn: () => {}, error: () => {} }

/** The stores of two processes of one site, as while the site restarts. */
const openTwice = async <T>(open: (data: string) => Promise<T>) => {
  const { data } = await createSiteFolder('Example')
  return [await open(data), await open(data)] as const
}

describe('two processes of one site', () => {
  it('one process rejects a save that is based on a version before that of the other one', async () => {
    const [older, newer] = await openTwice((data) => openContent(data, now, log))
    const opened = newer.current().updatedAt
    expect(await older.save({ title: 'Saved', text: '' }, opened)).toBe(true)
    expect(await newer.save({ title: 'Other', text: '' }, opened)).toBe(false)
    expect(newer.current().title).toBe('Saved')
    const version = newer.current().updatedAt
    expect(await newer.save({ title: 'Other', text: '' }, version)).toBe(true)
    await older.refresh()
    expect(older.current()).toEqual(newer.current())
  })

  it('changes of both to the website are stored', async () => {
    const [older, newer] = await openTwice((data) => openWebsite(data, now.toISOString(), log))
    const add = (slug: string) => (website: ReturnType<typeof older.current>) => ({
      ...website,
      pages: [
        ...website.pages,
        {
          id: slug.repeat(12),
          slug,
          title: slug,
          text: '',
          inMenu: true,
          updatedAt: now.toISOString(),
        },
      ],
    })
    await older.change(add('a'))
    await newer.change(add('b'))
    await older.change(add('c'))
    expect(older.current().pages.map(({ slug }) => slug)).toEqual(['a', 'b', 'c'])
  })

  it('a home page that another process replaces is shown without a restart', async () => {
    const files = await createSiteFolder('Example')
    const site = await startSite(files)
    const time = now.toISOString()
    const content = { format: 2, title: 'Replaced', text: '', createdAt: time, updatedAt: time }
    const path = join(files.data, 'content.json')
    await writeFile(`${path}.other`, JSON.stringify(content))
    await rename(`${path}.other`, path)
    expect((await site.request('/')).body).toContain('<h1>Replaced</h1>')
  })
})
