import './theme.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { handleAccessLost } from './api/client.ts'
import { paths } from './paths.ts'
import { createConsoleRouter } from './router.tsx'
import { followColorMode } from './shell/color-mode/color-mode.ts'
import { applyLocale } from './shell/language/locale.ts'
import { endEarlyPresses, isPainted } from './shell/layout/early-presses.ts'
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
  // Who is there already was sent there with what they wanted.
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
if (isPainted()) {
  // All that the screen is made of, so that it is what the page shows already. Until it is mounted the
  // router does not follow the history by itself, and a guest is led to the login page.
  const unfollow = router.history.subscribe(router.load)
  await router.load()
  unfollow()
  endEarlyPresses()
  hydrateRoot(root, app)
} else {
  endEarlyPresses()
  createRoot(root).render(app)
}
