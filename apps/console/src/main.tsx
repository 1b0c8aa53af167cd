import './theme.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { handleAccessLost } from './api/client.ts'
import { paths } from './paths.ts'
import { createConsoleRouter } from './router.tsx'
import { followColorMode } from './shell/color-mode.ts'
import { applyLocale } from './shell/locale.ts'

// zod would try `new Function`, which the content security policy reports as a violation.
z.config({ jitless: true })
followColorMode()
applyLocale()

const router = createConsoleRouter()

handleAccessLost((code) => {
  const { href, pathname } = router.latestLocation
  const next = pathname.startsWith('/auth/') ? undefined : href
  if (code === 'unauthorized') void router.navigate({ to: paths.login(), search: { next } })
  else void router.navigate({ to: paths.askVerify(), replace: true })
})

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
