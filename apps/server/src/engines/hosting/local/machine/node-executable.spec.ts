import {
  chmod,
  mkdir,
  readdir,
  readFile,
  realpath,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createDataFolder } from '../../../../testing/data-folder.ts'
import { findClosedFolder, findOrCopyNode } from './node-executable.ts'

const createNode = async (folderMode: number, fileMode: number) => {
  const root = await realpath(await createDataFolder())
  const node = join(root, 'home', 'bin', 'node')
  await mkdir(dirname(node), { recursive: true })
  await writeFile(node, 'a program')
  await chmod(node, fileMode)
  await chmod(join(root, 'home'), folderMode)
  return { node, home: join(root, 'home'), runtime: join(root, 'runtime') }
}

describe('findOrCopyNode', () => {
  it('uses an executable that all users can run', async () => {
    const { node, runtime } = await createNode(0o755, 0o755)
    await expect(findOrCopyNode(node, runtime)).resolves.toBe(node)
  })

  it.each([
    ['lies in a closed folder', 0o700, 0o755],
    ['may only be run by its owner', 0o755, 0o700],
  ])('copies an executable that %s, once', async (_case, folderMode, fileMode) => {
    const { node, runtime } = await createNode(folderMode, fileMode)
    const copy = await findOrCopyNode(node, runtime)

    expect(dirname(copy)).toBe(runtime)
    await expect(readFile(copy, 'utf8')).resolves.toBe('a program')
    expect((await stat(copy)).mode & 0o777).toBe(0o755)
    const { ino } = await stat(copy)
    await expect(findOrCopyNode(node, runtime)).resolves.toBe(copy)
    expect((await stat(copy)).ino).toBe(ino)
  })

  it('replaces the copy of another version and the leftovers of a killed copy', async () => {
    const { node, runtime } = await createNode(0o700, 0o755)
    const old = await findOrCopyNode(node, runtime)
    await writeFile(`${old}.new`, 'half')
    await utimes(node, new Date(0), new Date(1_000_000))

    const copy = await findOrCopyNode(node, runtime)
    expect(copy).not.toBe(old)
    await expect(readdir(runtime)).resolves.toEqual([copy.slice(runtime.length + 1)])
  })
})

describe('findClosedFolder', () => {
  it('returns the first folder that others cannot enter', async () => {
    const { node, home } = await createNode(0o750, 0o755)
    await expect(findClosedFolder(dirname(node))).resolves.toBe(home)
    await chmod(home, 0o711)
    await expect(findClosedFolder(dirname(node))).resolves.toBeNull()
  })
})
