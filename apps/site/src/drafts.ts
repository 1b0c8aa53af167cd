import type { PageInput } from './page-form.ts'

/** An unsaved page, and the version it is based on. */
export type Draft = { pageId: string; input: PageInput; basedOn: string }

export type Drafts = {
  /** Stores the draft of a user, replacing an earlier one. */
  save(subject: string, draft: Draft): void
  /** The draft of a user; null when missing or older than an hour. */
  find(subject: string): Draft | null
  discard(subject: string): void
}

const lifetimeMs = 60 * 60 * 1000
// More than the number of concurrent editors; the oldest draft is dropped first.
const maxDrafts = 50

/**
 * Drafts of users whose sign-in must be renewed before saving. In memory, because a renewal lasts
 * only two redirects.
 */
export const createDrafts = (): Drafts => {
  const drafts = new Map<string, Draft & { expiresAt: number }>()
  return {
    save(subject, draft) {
      drafts.delete(subject)
      drafts.set(subject, { ...draft, expiresAt: Date.now() + lifetimeMs })
      const [oldest] = drafts.keys()
      if (drafts.size > maxDrafts && oldest !== undefined) drafts.delete(oldest)
    },
    find(subject) {
      const draft = drafts.get(subject)
      return draft && draft.expiresAt > Date.now() ? draft : null
    },
    discard: (subject) => void drafts.delete(subject),
  }
}
