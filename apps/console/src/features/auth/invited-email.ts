import { isEmailAddress } from '@slipway/contract/email'
import { paths } from '../../paths.ts'

/**
 * Returns the address that an invitation was emailed to, if `next` leads to the invitations; null
 * for any other path or an invalid address.
 */
export function invitedEmail(next: string | undefined) {
  const [path, query] = next?.split('#')[0]?.split('?') ?? []
  const email = path === paths.invitations() && new URLSearchParams(query).get('email')
  return email && isEmailAddress(email) ? email : null
}
