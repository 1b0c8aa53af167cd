import { logout } from '@slipway/contract/sessions'
import { call } from './client.ts'
import { deleteDrafts } from './drafts.ts'
import { deleteSession } from './session.ts'

/** Ends the session on the server and on this device, at the user's request. */
export async function signOut() {
  const ended = call(logout).catch(() => undefined)
  // The device deletes the token even when the server cannot be reached.
  deleteSession()
  deleteDrafts()
  await ended
}
