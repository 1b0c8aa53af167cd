import { constants } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const othersMayEnter = 0o001
const othersMayReadAndRun = 0o005

/** The first folder on the way to `path`, itself included, that other users cannot enter; null when all can. */
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
 * A Node executable that the sites' users can run: the given one when its folders let them, else a
 * copy of it in the `runtime` folder, made once per version.
 */
export const prepareRuntime = async (node: string, runtime: string): Promise<string> => {
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
  // A process keeps the file it runs from, so an older copy can go even while sites run on it.
  const old = present.filter((name) => name !== basename(copy))
  await Promise.all(old.map((name) => rm(join(runtime, name), { force: true })))
  return copy
}
