import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code

/**
 * The strings at these keys of a JSON file; undefined if it is missing, is not JSON or lacks one.
 */
export async function readTexts<Name extends string>(
  path: string,
  names: readonly Name[],
): Promise<Record<Name, string> | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    const isComplete = names.every(
      (name) => typeof (value as Record<string, unknown> | null)?.[name] === 'string',
    )
    return isComplete ? (value as Record<Name, string>) : undefined
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Stores JSON atomically in a file that only this user of the machine can read. */
export async function writePrivateFile(path: string, content: object): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  const temporaryPath = `${path}.${randomUUID()}`
  try {
    const file = await open(temporaryPath, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(content, null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporaryPath, path)
  } catch (error) {
    await rm(temporaryPath, { force: true })
    throw error
  }
}

/** Deletes the file, if it exists. */
export const removePrivateFile = (path: string): Promise<void> => rm(path, { force: true })
