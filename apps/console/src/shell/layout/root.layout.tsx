import { m } from '@slipway/phrases'
import { Outlet, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useLocale } from '../language/locale.ts'
import { mainId } from '../page/main-id.ts'
import { AlphaBanner } from './alpha-banner.tsx'

/** Focuses the heading of a new page, or its main part, unless the page set the focus itself. */
function focusPage() {
  const main = document.getElementById(mainId)
  if (!main || main.contains(document.activeElement)) return
  ;(main.querySelector<HTMLElement>('h1[tabindex]') ?? main).focus({ preventScroll: true })
}

/** The layout of every page: the link past the navigation, the banner, the page. */
export function RootLayout() {
  useLocale()
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) focusPage()
      }),
    [router],
  )
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href={`#${mainId}`}
        className="sr-only rounded-md bg-raised text-accent elevated focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:px-3 focus:py-2"
        onClick={(event) => {
          event.preventDefault()
          document.getElementById(mainId)?.focus()
        }}
      >
        {m.shell_skip()}
      </a>
      <AlphaBanner />
      <Outlet />
    </div>
  )
}
