import { readFileSync } from 'node:fs'
import { openContent } from './content.ts'
import { createDrafts } from './drafts.ts'
import type { Log } from './log.ts'
import { createLoginProvider } from './login-provider.ts'
import { openPictureFiles } from './picture-files.ts'
import { openSessions } from './sessions.ts'
import { watchSettings } from './settings.ts'
import { openSiteKey } from './site-key.ts'
import type { Site } from './visit.ts'
import { openWebsite } from './website.ts'

const readVersion = (): string => {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** Opens the site of a settings file and a data folder. Rejects when one is unreadable. */
export const openSite = async (
  { settings, data }: { settings: string; data: string },
  log: Log,
): Promise<Site> => {
  const key = openSiteKey(data, log)
  const content = await openContent(data, new Date(), log)
  const website = await openWebsite(data, content.current().createdAt, log)
  const pictureFiles = openPictureFiles(data)
  // The site does not wait for it.
  pictureFiles.removeLeftovers(website.current()).catch((error: unknown) => {
    log.warn({ reason: String(error) }, 'Files left by uploads could not be removed')
  })
  return {
    settings: watchSettings(settings),
    content,
    website,
    pictureFiles,
    drafts: createDrafts(),
    key,
    sessions: openSessions(data, key, log),
    provider: createLoginProvider(),
    version: readVersion(),
    log,
  }
}
