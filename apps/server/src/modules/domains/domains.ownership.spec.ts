import type { TeamId } from '@slipway/contract/teams'
import { describe, expect, it } from 'vitest'
import type { Examination } from './domains.examine.ts'
import { decideOwnership } from './domains.ownership.ts'

const [mine, theirs] = ['mine', 'theirs'] as TeamId[] as [TeamId, TeamId]

const examined = (proofs: Partial<Examination['proofs']>): Examination => ({
  proofs: { txt: false, ownRecord: false, sharedRecord: true, ...proofs },
  isWildcard: false,
  leadsHere: true,
  steps: [],
  provider: null,
})

/** The verdict on another team's name that this team proves by a TXT record. */
const verdictOnForeignName = (holder: Partial<Examination['proofs']>) =>
  decideOwnership(
    { teamId: mine },
    {
      examination: examined({ txt: true }),
      holderExamination: examined(holder),
      rivals: [{ state: 'active', teamId: theirs }],
      parents: [],
      released: [],
      isOperatorDomain: false,
    },
  )

describe('a name of the domain that the operator registered for the service', () => {
  const operatorDomain = {
    holderExamination: null,
    rivals: [],
    parents: [],
    released: [],
    isOperatorDomain: true,
  }

  it('is proven by a record of the project, never by the record that projects share', () => {
    const shared = decideOwnership(
      { teamId: mine },
      { ...operatorDomain, examination: examined({}) },
    )
    expect(shared).toEqual({ problem: 'proof_needed' })
    const ownClaim = decideOwnership(
      { teamId: mine },
      { ...operatorDomain, examination: examined({ txt: true }) },
    )
    expect(ownClaim).toEqual({ proof: 'txt' })
  })
})

describe('a proven name of another team', () => {
  it('passes to the team that has a record of its own, once the former one has none', () => {
    expect(verdictOnForeignName({})).toEqual({ proof: 'txt' })
  })

  it.each([{ txt: true }, { ownRecord: true }, { txt: null }, { ownRecord: null }])(
    'stays with a team that still has, or may have, a record: %j',
    (records) => {
      expect(verdictOnForeignName(records)).toEqual({ problem: 'held_by_another' })
    },
  )
})
