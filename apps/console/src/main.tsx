import './theme.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { handleAccessLost } from './api/client.ts'
import { paths } from './paths.ts'
import { createConsoleRouter } from './router.tsx'
import { followColorMode } from './shell/color-mode.ts'
import { applyLocale } from './shell/locale.ts'

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
