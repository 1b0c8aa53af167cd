import { access, constants, realpath } from 'node:fs/promises'
import { join } from 'node:path'

/** Chromium by the names of its packages. */
const names = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'google-chrome-stable',
  'google-chrome',
]

const isExecutable = (path: string) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

/** The real path of the configured browser, or of the first Chromium in `PATH`; else null. */
export async function findBrowser(setting: string | undefined): Promise<string | null> {
  const folders = (process.env.PATH ?? '').split(':').filter(Boolean)
  const candidates =
    setting === undefined
      ? names.flatMap((name) => folders.map((folder) => join(folder, name)))
      : [setting]
  for (const candidate of candidates) if (await isExecutable(candidate)) return realpath(candidate)
  return null
}
