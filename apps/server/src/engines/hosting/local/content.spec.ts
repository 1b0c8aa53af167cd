import { chown, lstat, mkdir, readdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createDataFolder } from '../../../testing/data-folder.ts'
import { startHostingWorld } from '../../../testing/hosting-world.ts'
import { digestOfArchive } from '../content/content-archive.ts'
import { treeOf, writeTree } from '../content/content-tree.fixture.ts'
import type { HostingEngine, Instance, StoredContent } from '../engine.ts'
import { createLayout } from './files/layout.ts'
import { instance } from './fixtures/local-engine.fixture.ts'

const never = new AbortController().signal
const site = instance('moved')
const stopped: Instance = { ...site, power: 'stopped' }

/** An engine with a stopped site that has files of every kind. */
async function createSource() {
  const world = await startHostingWorld()
  await world.applyUntilHealthy(site)
  await world.engine.apply(stopped, { mayCreate: false })
  const { data } = createLayout(world.dataDir).site(site.key)
  const { uid, gid } = await lstat(data)
  await writeTree(data, process.getuid?.() === 0 ? { uid, gid } : null)
  return { ...world, data }
}

async function archiveOf(engine: HostingEngine): Promise<StoredContent> {
  const file = join(await createDataFolder(), 'archives/site.content')
  await engine.exportContent(stopped, { file, url: '' }, never)
  return { file, url: '', digest: (await digestOfArchive(file)) ?? '' }
}

describe('the files of a site that moves', () => {
  it('arrive with their names, modes, times and links, and belong to the site of this machine', async () => {
    const source = await createSource()
    const target = await startHostingWorld()
    const content = await archiveOf(source.engine)
    expect(await source.engine.hasContent(site)).toBe(true)
    await target.engine.importContent(site, content, never)
    const { data } = createLayout(target.dataDir).site(site.key)
    const arrived = await treeOf(data)
    expect(arrived).toEqual(await treeOf(source.data))
    expect(Object.keys(arrived)).toContain('f\xff\xfe')
    expect(arrived['same.sh']).toMatchObject({ same: 'run.sh', mode: '750' })
    if (process.getuid?.() === 0)
      for (const name of ['run.sh', 'outside', 'uploads/large.bin', 'empty'])
        expect((await lstat(join(data, name))).uid, name).toBe((await lstat(data)).uid)
    // The site does not run before it is applied.
    expect(await target.engine.list([site.key])).toMatchObject([{ applied: null, running: false }])
    expect(await target.engine.stage(site)).toBeNull()
    await target.applyUntilHealthy(site)
    expect((await target.visit(site.key, '/')).status).toBe(200)
  })

  it('replace what an import that was killed has left', async () => {
    const source = await createSource()
    const target = await startHostingWorld()
    const content = await archiveOf(source.engine)
    await target.engine.importContent(site, content, never)
    const { data } = createLayout(target.dataDir).site(site.key)
    const { uid, gid } = await lstat(data)
    for (const [name, make] of [
      ['denied-leftover', (path: string) => mkdir(path, { mode: 0o000 })],
      ['leftover', (path: string) => writeFile(path, 'of a killed import')],
    ] as const) {
      await make(join(data, name))
      await chown(join(data, name), uid, gid)
    }
    await target.engine.importContent(site, content, never)
    expect(await treeOf(data)).toEqual(await treeOf(source.data))
  })

  it('are not exported while the site runs', async () => {
    const world = await startHostingWorld()
    await world.applyUntilHealthy(site)
    await expect(archiveOf(world.engine)).rejects.toThrow('A process of moved runs')
  })

  it('are rejected when their archive is cut or changed', async () => {
    const source = await createSource()
    const target = await startHostingWorld()
    const content = await archiveOf(source.engine)
    const changedContent = { ...content, digest: '0'.repeat(64) }
    await expect(target.engine.importContent(site, changedContent, never)).rejects.toThrow(
      'is not what was stored',
    )
    await truncate(content.file, 1_000_000)
    await expect(target.engine.importContent(site, content, never)).rejects.toThrow(
      'could not be copied',
    )
  })

  it('are rejected when they are too large, also as a sparse file or in a small archive', async () => {
    const size = 2 * 2 ** 30 + 1
    const source = await createSource()
    const [target, folder] = [await startHostingWorld(), await createDataFolder()]
    await writeFile(join(source.data, 'sparse'), '')
    await truncate(join(source.data, 'sparse'), size)
    const { uid, gid } = await lstat(source.data)
    await chown(join(source.data, 'sparse'), uid, gid)
    await expect(archiveOf(source.engine)).rejects.toThrow('too large to copy')

    const file = join(folder, 'small.content')
    const entry = { path: 'large', type: 'file', mode: 0o644, time: 0, size }
    await writeFile(file, gzipSync(`${JSON.stringify(entry)}\n`))
    const digest = (await digestOfArchive(file)) ?? ''
    await expect(
      target.engine.importContent(site, { file, url: '', digest }, never),
    ).rejects.toThrow('too large to copy')
  })

  it('leave nothing when their export is aborted', async () => {
    const source = await createSource()
    const folder = await createDataFolder()
    const archive = { file: join(folder, 'site.content'), url: '' }
    const signal = AbortSignal.abort(new Error('cancelled'))
    await expect(source.engine.exportContent(stopped, archive, signal)).rejects.toThrow('cancelled')
    expect(await readdir(folder)).toEqual([])
  })
})
