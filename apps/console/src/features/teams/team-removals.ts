import type { TeamDetail } from '@slipway/contract/teams'

type Members = Pick<TeamDetail, 'users' | 'invited'>

const keysOf = ({ users, invited }: Members) => [
  ...users.map(({ id }) => id),
  ...invited.map(({ email }) => email),
]

/** True if a member or an invitation was removed; accepting an invitation removes it, too. */
export function hasRemovals(before: Members, after: Members) {
  const keys = new Set(keysOf(after))
  return keysOf(before).some((key) => !keys.has(key))
}
