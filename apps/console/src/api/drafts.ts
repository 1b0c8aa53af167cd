/** What somebody has typed and not sent yet, kept in the tab so that a reload does not lose it. */
const prefix = 'draft:'

/** More than any form takes: what is longer was pasted by mistake, and would fill the browser's store. */
const maxLength = 100_000

export type Draft = Partial<Record<string, string>>

/** The fields of a draft; none where nothing is kept under that name. */
export function readDraft(name: string): Draft {
  const kept = sessionStorage.getItem(prefix + name)
  return kept === null ? {} : JSON.parse(kept)
}

/** Keeps the fields of a draft in place of what was kept before. */
export function keepDraft(name: string, fields: Draft) {
  const kept = JSON.stringify(fields)
  if (kept.length > maxLength) forgetDraft(name)
  else sessionStorage.setItem(prefix + name, kept)
}

export const forgetDraft = (name: string) => sessionStorage.removeItem(prefix + name)

/** Forgets all drafts of this tab: whoever signs out leaves nothing behind. */
export function forgetDrafts() {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}
