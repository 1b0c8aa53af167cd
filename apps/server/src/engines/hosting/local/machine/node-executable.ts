import { constants } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const othersMayEnter = 0o001
const othersMayReadAndRun = 0o005

/** The first folder of `path`, itself included, that other users cannot enter; null when none. */
export const findClosedFolder = async (path: string): Promise<string | null> => {
  const parent = dirname(path)
  const closed = parent === path ? null : await findClosedFolder(parent)
  if (closed) return closed
  const { mode } = await stat(path)
  return mode & othersMayEnter ? null : path
}

const othersCanRun = async (file: string): Promise<boolean> => {
  if (await findClosedFolder(dirname(file))) return false
  const { mode } = await stat(file)
  return (mode & othersMayReadAndRun) === othersMayReadAndRun
}

/**
 * A Node executable that the sites' users can run: `node` when they can reach it, otherwise a copy
 * in the `runtime` folder, one per version.
 */
export const findOrCopyNode = async (node: string, runtime: string): Promise<string> => {
  const source = await realpath(node)
  if (await othersCanRun(source)) return source

  const { size, mtimeMs } = await stat(source)
  const copy = join(runtime, `node-${size}-${Math.trunc(mtimeMs)}`)
  await mkdir(runtime, { recursive: true })
  await chmod(runtime, 0o711)
  const present = await readdir(runtime)
  if (!present.includes(basename(copy))) {
    await copyFile(source, `${copy}.new`, constants.COPYFILE_FICLONE)
    await chmod(`${copy}.new`, 0o755)
    await rename(`${copy}.new`, copy)
  }
  // A running process keeps its file open, so older copies can be deleted.
  const old = present.filter((name) => name !== basename(copy))
  await Promise.all(old.map((name) => rm(join(runtime, name), { force: true })))
  return copy
}
