import { m } from '@slipway/phrases'
import { Link } from '@tanstack/react-router'
import { apiBase } from '../../api/client.ts'
import { paths } from '../../paths.ts'

const linkClass =
  'inline-flex items-center rounded-md hover:text-fg hover:underline underline-offset-4 pointer-coarse:min-h-11 pointer-coarse:min-w-11'

/** Below the pages behind the login. */
export const PageFooter = () => (
  <footer className="mx-auto mt-auto flex w-full max-w-6xl flex-wrap gap-x-6 gap-y-1 px-4 py-6 text-xs text-muted sm:px-6 print:hidden">
    <a href={`${apiBase}/docs`} target="_blank" rel="noreferrer" className={linkClass}>
      {m.shell_docs()}
    </a>
    <Link to={paths.terms()} className={linkClass}>
      {m.legal_terms_title()}
    </Link>
    <Link to={paths.privacy()} className={linkClass}>
      {m.legal_privacy_title()}
    </Link>
  </footer>
)
