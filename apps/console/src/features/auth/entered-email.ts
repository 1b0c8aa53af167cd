import { useEffect } from 'react'

let held = ''

/** The last email address entered on an auth page, so that the next page can prefill it. */
export const enteredEmail = () => held

/** Stores the entered address in memory until the user signs in or the page reloads. */
export function useSaveEnteredEmail(email: string | null) {
  useEffect(() => {
    held = email ?? ''
  }, [email])
}

/** Clears the address on sign-in, so that the next user does not see it. */
export function forgetEnteredEmail() {
  held = ''
}
