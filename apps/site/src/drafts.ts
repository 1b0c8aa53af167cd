import type { Written } from './page-form.ts'

/** The home page as somebody wrote it, and the version they wrote it on. */
export type Draft = { written: Written; basedOn: string }

export type Drafts = {
  /** Keeps what a person wrote, in place of what is kept of them already. */
  keep(subject: string, draft: Draft): void
  /** What is kept of a person; null when there is nothing, or it is older than an hour. */
  of(subject: string): Draft | null
  discard(subject: string): void
}

const lifeMs = 60 * 60 * 1000
// More people than write at once; the oldest makes room for the newest.
const mostDrafts = 50

/**
 * What people sent whose sign-in had to be renewed before it could be saved. In memory: it bridges the
 * moment that their browser needs to go to the console and back.
 */
export const createDrafts = (): Drafts => {
  const kept = new Map<string, Draft & { until: number }>()
  return {
    keep(subject, draft) {
      kept.delete(subject)
      kept.set(subject, { ...draft, until: Date.now() + lifeMs })
      const [oldest] = kept.keys()
      if (kept.size > mostDrafts && oldest !== undefined) kept.delete(oldest)
    },
    of(subject) {
      const draft = kept.get(subject)
      return draft && draft.until > Date.now() ? draft : null
    },
    discard: (subject) => void kept.delete(subject),
  }
}
