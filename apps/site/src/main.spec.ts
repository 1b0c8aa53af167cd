import { once } from 'node:events'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSiteFolder, spawnSite, startSite } from './site.fixture.ts'

describe('starter site: process', () => {
  it('content is created at the first start and survives restarts', async () => {
    const files = await createSiteFolder('Example')
    const first = await startSite(files)
    const content = await readFile(join(files.data, 'content.json'), 'utf8')
    expect(JSON.parse(content)).toEqual({
      format: 2,
      title: null,
      text: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      updatedAt: expect.any(String),
    })
    await first.stop()

    await startSite(files)
    await expect(readFile(join(files.data, 'content.json'), 'utf8')).resolves.toBe(content)
    await expect(readdir(files.data)).resolves.toEqual(['content.json'])
  })

  it.each(['', '{"title":', '[]', '{"title":1,"text":"","createdAt":"x","updatedAt":"x"}'])(
    'damaged content (%j) is renamed and logged',
    async (damage) => {
      const files = await createSiteFolder('Example')
      await writeFile(join(files.data, 'content.json'), damage)
      const site = await startSite(files)

      const renamed = (await readdir(files.data)).filter((name) => name !== 'content.json')
      expect(renamed).toEqual([expect.stringMatching(/^content\.damaged-.+\.json$/)])
      const [damagedFile = ''] = renamed
      await expect(readFile(join(files.data, damagedFile), 'utf8')).resolves.toBe(damage)
      const log = site.log.join('\n')
      expect(log).toContain('The content was damaged; its file was renamed')
      expect(log).toContain(damagedFile)
    },
  )

  it('a new name is shown without a restart', async () => {
    const files = await createSiteFolder('Before')
    const site = await startSite(files)
    await writeFile(`${files.settings}.new`, JSON.stringify({ key: 'example', name: 'After' }))
    await rename(`${files.settings}.new`, files.settings)
    expect((await site.request('/')).body).toContain('<span>After</span>')
  })

  it('SIGTERM finishes the current response and exits with 0', async () => {
    const files = await createSiteFolder('Example')
    const site = await startSite(files)
    const socket = connect(files.socket)
    await once(socket, 'connect')
    socket.write('GET /healthz HTTP/1.1\r\nHost: example\r\n')
    await site.request('/healthz')

    const code = site.stop()
    socket.write('\r\n')
    const response = (await socket.toArray()).join('')
    expect(response).toContain('HTTP/1.1 200 OK')
    await expect(code).resolves.toBe(0)
  })

  it('missing settings exit with 1 and a reason', async () => {
    const files = await createSiteFolder('Example')
    const site = spawnSite({ ...files, settings: `${files.settings}.none` })
    const output = site.stdout?.toArray()
    const [code] = await once(site, 'exit')
    expect(code).toBe(1)
    expect((await output)?.join('')).toContain('ENOENT')
  })
})
