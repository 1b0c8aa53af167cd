import { logout } from '@slipway/contract/sessions'
import { call } from './client.ts'
import { deleteDrafts } from './drafts.ts'
import { forgetSession } from './session.ts'

/** Ends the session because the user wants it to end. */
export function signOut() {
  // The device forgets the token whether or not the server could be told to.
  call(logout).catch(() => undefined)
  forgetSession()
  deleteDrafts()
}
