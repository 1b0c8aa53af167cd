import './theme.css'
import { followBrowserLocale } from '@slipway/phrases/browser-locale'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { handleAccessLost } from './api/client.ts'
import { paths } from './paths.ts'
// Most first visits begin with the login page: it comes with the router, without another round trip.
import './features/auth/login.page.tsx'
import './shell/layout/auth.layout.tsx'
import { createConsoleRouter } from './router.tsx'
import { followColorMode } from './shell/color-mode/color-mode.ts'
import { applyLocale } from './shell/language/locale.ts'
import { isPrerendered, stopEarlyEvents } from './shell/layout/early-events.ts'
import { nextPathOf } from './shell/navigation/next-path.ts'
import { captureLoginCallback } from './shell/session/login-callback.ts'

followBrowserLocale()
followColorMode()
applyLocale()

// Before the router reads the address.
captureLoginCallback()
const router = createConsoleRouter()

handleAccessLost((code) => {
  const here = router.latestLocation
  const to = code === 'unauthorized' ? paths.login() : paths.askVerify()
  // A user who is there already keeps their `next`.
  if (here.pathname === to) return
  const replace = code === 'user_not_verified' || here.pathname === paths.projectLogin()
  void router.navigate({ to, search: { next: nextPathOf(here) }, replace })
})

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
const app = (
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>
)
if (isPrerendered()) {
  // Hydration needs the screen's code. Until the router is mounted it does not follow the history by
  // itself, and a guest is redirected to the login page.
  const unfollow = router.history.subscribe(router.load)
  await router.load()
  unfollow()
  stopEarlyEvents()
  hydrateRoot(root, app)
} else {
  stopEarlyEvents()
  createRoot(root).render(app)
}
