// The first import, because modules may use phrases when they are imported.
import './shell/language/pin-detected-locale.ts'
import './theme.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { handleAccessLost } from './api/client.ts'
import { paths } from './paths.ts'
// Most first visits start at the login page, so its code is in the entry: no second round trip.
import './features/auth/login.page.tsx'
import './shell/layout/auth.layout.tsx'
import { createConsoleRouter } from './router.tsx'
import { followColorMode } from './shell/color-mode/color-mode.ts'
import { applyLocale } from './shell/language/locale.ts'
import { isPrerendered, stopRecordingEvents } from './shell/layout/recorded-events.ts'
import { nextPathOf } from './shell/navigation/next-path.ts'
import { captureLoginCallback } from './shell/session/login-callback.ts'

followColorMode()
applyLocale()

// Before the router reads the address.
captureLoginCallback()
const router = createConsoleRouter()

handleAccessLost((code) => {
  const currentLocation = router.latestLocation
  const to = code === 'unauthorized' ? paths.login() : paths.askVerify()
  // A user who is already on that page keeps their `next`.
  if (currentLocation.pathname === to) return
  const replace = code === 'user_not_verified' || currentLocation.pathname === paths.projectLogin()
  void router.navigate({ to, search: { next: nextPathOf(currentLocation) }, replace })
})

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
const app = (
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>
)

/** Hydrates the prerendered screen once its code has loaded. */
async function hydrate(container: HTMLElement) {
  // An unmounted router does not follow the history, and loading redirects a guest to the login
  // page.
  const unfollow = router.history.subscribe(router.load)
  await router.load()
  unfollow()
  stopRecordingEvents()
  hydrateRoot(container, app)
}

// Not awaited: the screen's chunk imports this module, so both would wait for each other.
if (isPrerendered()) void hydrate(root)
else {
  stopRecordingEvents()
  createRoot(root).render(app)
}
