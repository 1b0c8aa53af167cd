// First: a module may use a text when it is imported.
import './shell/language/follow-browser-locale.ts'
import './theme.css'
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

/** Hydrates the prerendered screen once its code has loaded. */
async function hydrate(container: HTMLElement) {
  // Until the router is mounted it does not follow the history by itself, and a guest is redirected to
  // the login page.
  const unfollow = router.history.subscribe(router.load)
  await router.load()
  unfollow()
  stopEarlyEvents()
  hydrateRoot(container, app)
}

// Not awaited: the screen's chunk imports this one, and would wait for it in turn.
if (isPrerendered()) void hydrate(root)
else {
  stopEarlyEvents()
  createRoot(root).render(app)
}
