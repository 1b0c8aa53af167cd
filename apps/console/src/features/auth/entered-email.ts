import { useEffect } from 'react'

let held = ''

/** What was last typed as an address on one of the ways in: nobody types it again on the next one. */
export const typedAddress = () => held

/** Keeps what is typed, for as long as this page of the browser is there and nobody has logged in. */
export function useTypedAddress(email: string | null) {
  useEffect(() => {
    held = email ?? ''
  }, [email])
}

/** Whoever has logged in leaves nothing of it to the next one. */
export function forgetTypedAddress() {
  held = ''
}
