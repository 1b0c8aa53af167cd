import { isEmailAddress } from '@slipway/contract/email'
import { paths } from '../../paths.ts'

/**
 * The address that an invitation was mailed to, of whoever is on the way to answer it; null for whoever
 * wants to be elsewhere. Whatever else somebody wrote into a link is none.
 */
export function invitedAddress(next: string | undefined) {
  const [path, query] = next?.split('#')[0]?.split('?') ?? []
  const email = path === paths.invitations() && new URLSearchParams(query).get('email')
  return email && isEmailAddress(email) ? email : null
}
