import { m } from '@slipway/phrases'
import { useLocation } from '@tanstack/react-router'
import { paths } from '../paths.ts'
import { useDocumentTitle } from './document-title.ts'
import { Notice } from './notice.tsx'

const areas: [prefix: string, name: () => string][] = [
  ['/support', () => m.shell_support()],
  ['/account/billing', () => m.shell_billing()],
]

/** A screen in the route table that is still to be built. */
export function Page() {
  const { pathname } = useLocation()
  const area = areas.find(([prefix]) => pathname.startsWith(prefix))?.[1]() ?? ''
  const title = m.shell_not_here_yet({ area })
  useDocumentTitle(title)
  return (
    <Notice title={title} link={{ to: paths.home(), label: m.shell_home() }}>
      {m.shell_not_here_yet_hint()}
    </Notice>
  )
}
