import { type CallerName, markers, type Owner, ownersFor } from '../population/callers.ts'
import { secretMarker } from '../requests/valid-values.ts'

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

export type Oracle = ReturnType<typeof createOracle>

/** The id of a user's request is shown to every team that it changed. */
const withoutRequestIds = (text: string) => text.replaceAll(/"requestId":"[^"]*"/g, '')

/** Knows the owner of every id: the one for whom it was first seen. */
export function createOracle() {
  const owners = new Map<string, Owner>()
  // Two ids that the fuzzer sends as text.
  const publicIds = new Set([
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ])

  return {
    /** An id that all users may see, such as that of an operator who writes in tickets. */
    publish: (id: string) => void publicIds.add(id),

    own(id: string, owner: Owner) {
      if (!owners.has(id)) owners.set(id, owner)
    },

    /** Learns the ids of a successful response. Ids in the request may belong to any user. */
    learn(owner: Owner, text: string, sent: string) {
      for (const [id] of withoutRequestIds(text).matchAll(uuids))
        if (!sent.includes(id)) this.own(id, owner)
    },

    /** Describes data that the caller may not see and did not send; undefined without any. */
    foreignDataIn(caller: CallerName, text: string, sent: string): string | undefined {
      const allowed = ownersFor(caller)
      if (text.includes(secretMarker) && !sent.includes(secretMarker))
        return 'the value of a variable'
      for (const [owner, marker] of Object.entries(markers) as [Owner, string][])
        if (!allowed.includes(owner) && text.includes(marker) && !sent.includes(marker))
          return `the marker of ${owner}`
      for (const [id] of withoutRequestIds(text).matchAll(uuids)) {
        const owner = owners.get(id)
        if (
          owner !== undefined &&
          !allowed.includes(owner) &&
          !publicIds.has(id) &&
          !sent.includes(id)
        )
          return `${id} of ${owner}`
      }
      return undefined
    },
  }
}
