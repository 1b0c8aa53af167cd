/** What somebody has typed and not sent yet, kept in the tab so that a reload does not lose it. */
const prefix = 'draft:'

/** More than any form takes: what is longer was pasted by mistake, and would fill the browser's store. */
const maxLength = 100_000

export type Draft = Partial<Record<string, string>>

/** What the browser's store had no room for: it is there as long as the page is. */
const unstored = new Map<string, string>()

/** The text fields of what was kept; none of anything that is no draft. */
function parse(kept: string): Draft {
  try {
    const fields: unknown = JSON.parse(kept)
    if (typeof fields !== 'object' || fields === null) return {}
    return Object.fromEntries(
      Object.entries(fields).filter(([, value]) => typeof value === 'string'),
    )
  } catch {
    return {}
  }
}

/** The fields of a draft; none where nothing is kept under that name. */
export function readDraft(name: string): Draft {
  const kept = unstored.get(name) ?? sessionStorage.getItem(prefix + name)
  return kept === null ? {} : parse(kept)
}

/** Keeps the fields of a draft in place of what was kept before, be it without a reload. */
export function saveDraft(name: string, fields: Draft) {
  const kept = JSON.stringify(fields)
  deleteDraft(name)
  if (kept.length > maxLength) return
  try {
    sessionStorage.setItem(prefix + name, kept)
  } catch {
    unstored.set(name, kept)
  }
}

export function deleteDraft(name: string) {
  unstored.delete(name)
  sessionStorage.removeItem(prefix + name)
}

/** Forgets all drafts of this tab: whoever signs out leaves nothing behind. */
export function deleteDrafts() {
  unstored.clear()
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}
