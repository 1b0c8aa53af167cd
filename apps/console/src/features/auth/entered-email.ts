import { useEffect } from 'react'

let storedEmail = ''

/** The last email address entered on an auth page, so that the next page can prefill it. */
export const enteredEmail = () => storedEmail

/** Stores the entered address in memory until the user signs in or the page reloads. */
export function useSaveEnteredEmail(email: string | null) {
  useEffect(() => {
    storedEmail = email ?? ''
  }, [email])
}

/** Clears the address on sign-in, so that the next user does not see it. */
export function deleteEnteredEmail() {
  storedEmail = ''
}
