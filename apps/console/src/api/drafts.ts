// Form input that is not sent yet, stored until the tab closes.
const prefix = 'draft:'

/** The maximum length of a draft. Forms accept less; a longer one would fill the storage. */
const maxLength = 100_000

export type Draft = Partial<Record<string, string>>

/** Drafts that do not fit into the browser's storage; they are lost with the page. */
const unstored = new Map<string, string>()

/** The text fields of a stored draft; none if it is malformed. */
function parse(stored: string): Draft {
  try {
    const fields: unknown = JSON.parse(stored)
    if (typeof fields !== 'object' || fields === null) return {}
    return Object.fromEntries(
      Object.entries(fields).filter(([, value]) => typeof value === 'string'),
    )
  } catch {
    return {}
  }
}

/** The fields of the draft with that name; none if there is no draft. */
export function readDraft(name: string): Draft {
  const stored = unstored.get(name) ?? sessionStorage.getItem(prefix + name)
  return stored === null ? {} : parse(stored)
}

/**
 * Replaces the draft with that name. If the storage is full, it does not survive a reload. A draft
 * over `maxLength` is dropped, and the stored one deleted.
 */
export function saveDraft(name: string, fields: Draft) {
  const serialized = JSON.stringify(fields)
  deleteDraft(name)
  if (serialized.length > maxLength) return
  try {
    sessionStorage.setItem(prefix + name, serialized)
  } catch {
    unstored.set(name, serialized)
  }
}

export function deleteDraft(name: string) {
  unstored.delete(name)
  sessionStorage.removeItem(prefix + name)
}

/** Deletes all drafts of this tab, as signing out does. */
export function deleteDrafts() {
  unstored.clear()
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}
