import type { TeamId } from '@slipway/contract/teams'
import { describe, expect, it } from 'vitest'
import type { Examination } from './domains.examine.ts'
import { mayHave } from './domains.ownership.ts'

const [mine, theirs] = ['mine', 'theirs'] as TeamId[] as [TeamId, TeamId]

const examined = (proofs: Partial<Examination['proofs']>): Examination => ({
  proofs: { txt: false, ownRecord: false, sharedRecord: true, ...proofs },
  isWildcard: false,
  leadsHere: true,
  steps: [],
  provider: null,
})

/** Whether a team gets a name that it proved by TXT from another team. */
const takeOver = (holder: Partial<Examination['proofs']>) =>
  mayHave(
    { teamId: mine },
    {
      examination: examined({ txt: true }),
      holderExamination: examined(holder),
      rivals: [{ state: 'active', teamId: theirs }],
      parents: [],
      released: [],
      isOperators: false,
    },
  )

describe('a name of the domain that the operator registered for the service', () => {
  const nobodys = {
    holderExamination: null,
    rivals: [],
    parents: [],
    released: [],
    isOperators: true,
  }

  it('is proven by a record of the project, never by the record that projects share', () => {
    const shared = mayHave({ teamId: mine }, { ...nobodys, examination: examined({}) })
    expect(shared).toEqual({ problem: 'proof_needed' })
    const ownClaim = mayHave({ teamId: mine }, { ...nobodys, examination: examined({ txt: true }) })
    expect(ownClaim).toEqual({ proof: 'txt' })
  })
})

describe('a proven name of another team', () => {
  it('passes to the team that has a record of its own, once the former one has none', () => {
    expect(takeOver({})).toEqual({ proof: 'txt' })
  })

  it.each([{ txt: true }, { ownRecord: true }, { txt: null }, { ownRecord: null }])(
    'stays with a team whose records are %j, of which null is unknown',
    (records) => {
      expect(takeOver(records)).toEqual({ problem: 'held_by_another' })
    },
  )
})
