import type { Activity, ActivityPage } from '@slipway/contract/activity'
import { expect, it } from 'vitest'
import { mergeNewest } from './activity-queries.ts'

/** A page with the entries from one position down to another. */
function page(from: number, to: number): ActivityPage {
  const items = Array.from(
    { length: from - to + 1 },
    (_, index) => ({ position: String(from - index) }) as Activity,
  )
  return { items, before: to > 1 ? String(to) : null }
}

it('mergeNewest adds new entries to the start of the stored page and keeps its end', () => {
  expect(mergeNewest(page(12, 8), page(10, 6))).toEqual(page(12, 6))
})

it('mergeNewest returns the newest page alone if entries between it and the stored page are missing', () => {
  expect(mergeNewest(page(20, 16), page(10, 6))).toEqual(page(20, 16))
  expect(mergeNewest(page(5, 1), undefined)).toEqual(page(5, 1))
})
