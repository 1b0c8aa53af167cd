import type { TeamDetail } from '@slipway/contract/teams'

type Members = Pick<TeamDetail, 'users' | 'invited'>

const keysOf = ({ users, invited }: Members) => [
  ...users.map(({ id }) => id),
  ...invited.map(({ email }) => email),
]

/** True if a member or an invitation is gone; an accepted invitation is gone, too. */
export function hasRemovals(before: Members, after: Members) {
  const keys = new Set(keysOf(after))
  return keysOf(before).some((key) => !keys.has(key))
}
